/** Notes shown on other pages: changed pages with statements in doubt, and the number of stale translations. */

import { useQuery } from '@tanstack/react-query'
import { internalQuery } from '../../api/internal.ts'
import { Notice } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { plural, t } from '../../words/words.ts'

export function DoubtNote({ projectId, files }: { projectId: string; files: readonly { path: string }[] }) {
  const { data } = useQuery(internalQuery('getStatementSummary', { params: { projectId } }))
  const changed = new Set(files.map(({ path }) => path))
  const pages = data?.pages.filter(({ page, inDoubt }) => inDoubt > 0 && changed.has(page)) ?? []
  if (pages.length === 0) return null
  return (
    <div class="px-6 pt-6 max-md:px-4">
      <Notice tone="warning" title={t('The change touches pages with statements in doubt')}>
        <ul>
          {pages.map(({ page, inDoubt }) => (
            <li key={page}>
              <Link href={`/p/${projectId}/statements?${new URLSearchParams({ page })}`}>
                {page} ({inDoubt})
              </Link>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

export function StaleTranslations({ projectId }: { projectId: string }) {
  const { data } = useQuery(internalQuery('getStatementSummary', { params: { projectId } }))
  const count = data?.translations.length ?? 0
  if (count === 0) return null
  return (
    <p class="mt-8">
      <Link href={`/p/${projectId}/statements`}>
        {plural(count, '{count} stale translation', '{count} stale translations')}
      </Link>
    </p>
  )
}
