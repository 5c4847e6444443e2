/** Reader questions that a new job will answer. */

import { useQuery } from '@tanstack/react-query'
import { internalQuery } from '../../api/internal.ts'
import { IconButton } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { plural, t } from '../../words/words.ts'
import { AndMore } from './and-more.tsx'

const SHOWN = 5

export function AttachedQuestions({
  projectId,
  ids,
  onDrop,
}: {
  projectId: string
  ids: readonly string[]
  onDrop: (id: string) => void
}) {
  return (
    <div class="mx-3 mb-2 rounded-md border border-line bg-sunken px-3 py-2">
      <p class="text-12 text-faint">
        {plural(ids.length, 'Answers {count} question of readers', 'Answers {count} questions of readers')}
      </p>
      <ul class="mt-1">
        {ids.slice(0, SHOWN).map((id) => (
          <AttachedQuestion key={id} projectId={projectId} id={id} onDrop={onDrop} />
        ))}
      </ul>
      <AndMore all={ids.length} shown={SHOWN} />
    </div>
  )
}

interface AttachedQuestionProps {
  projectId: string
  id: string
  onDrop: (id: string) => void
}

function AttachedQuestion({ projectId, id, onDrop }: AttachedQuestionProps) {
  const { data, isError } = useQuery(
    internalQuery('getAskedQuestion', { params: { projectId, questionId: id } }),
  )
  const turn = data?.turns.find((one) => one.id === id)
  return (
    <li class="flex items-center gap-2 text-13">
      <Link
        look="quiet"
        href={`/p/${projectId}/assistant?question=${id}`}
        class="min-w-0 flex-1 truncate"
        aria-label={turn === undefined ? id : undefined}
      >
        {turn !== undefined && <PlainText text={turn.question} />}
        {turn === undefined && isError && (
          <span class="text-danger">{t('This question no longer exists')}</span>
        )}
        {turn === undefined && !isError && <Skeleton class="h-3 w-3/5" />}
      </Link>
      <IconButton icon="x" size="small" label={t('Leave this question out')} onClick={() => onDrop(id)} />
    </li>
  )
}
