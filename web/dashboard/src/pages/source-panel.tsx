/** Source lines around one line, with the problem. */

import { useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { internalQuery, type OperationAnswer } from '../api/internal.ts'
import { ButtonLink } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { CopyId } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Loaded, Skeleton } from '../ui/states.tsx'
import { t } from '../words/words.ts'

type SourceLines = OperationAnswer<'getSourceLines'>

export interface SourceQuery {
  file: string
  line?: number
  exportId?: string
  deploymentId?: string
}

export function sourceQuery(projectId: string, query: SourceQuery) {
  return { ...internalQuery('getSourceLines', { params: { projectId }, query }), staleTime: 60_000 }
}

export function SourcePanel({
  projectId,
  query,
  backHref,
  children,
}: {
  projectId: string
  query: SourceQuery
  /** URL that closes the panel. */
  backHref: string
  /** The problem at this line. */
  children?: ComponentChildren
}) {
  const source = useQuery(sourceQuery(projectId, query))
  const { data } = source
  return (
    <div class="flex min-h-0 flex-1 flex-col overflow-y-auto px-5 py-4 max-md:px-4">
      <div class="mb-3 flex items-start gap-3">
        <div class="min-w-0 flex-1">
          <h2 class="font-mono text-13 font-medium break-words">
            <PlainText text={query.file} />
            {query.line !== undefined && <span class="text-soft">:{query.line}</span>}
          </h2>
          {data !== undefined && (
            <p class="mt-0.5 flex flex-wrap items-center gap-x-2 text-12 text-soft">
              {data.revision === null ? (
                t('The folder as it is now')
              ) : (
                <CopyId id={data.revision} label={t('Copy the revision')} isWhole={false} />
              )}
            </p>
          )}
        </div>
        {data?.url != null && (
          <ButtonLink size="small" icon="external-link" href={data.url} target="_blank">
            {t('Open')}
          </ButtonLink>
        )}
        <Link
          look="none"
          href={backHref}
          aria-label={t('Close')}
          title={t('Close (Esc)')}
          class="inline-flex size-7 items-center justify-center rounded-sm text-soft hover:bg-hover max-md:hidden"
        >
          <Icon name="x" />
        </Link>
      </div>
      {children}
      <Loaded query={source} skeleton={<Skeleton class="h-48 w-full rounded-md" />} isSmall>
        {({ lines }) => <Lines lines={lines} query={query} />}
      </Loaded>
    </div>
  )
}

function Lines({ lines, query }: { lines: SourceLines['lines']; query: SourceQuery }) {
  return (
    <section
      aria-label={t('Lines of {file}', { file: query.file })}
      tabIndex={0}
      class="shrink-0 overflow-x-auto rounded-md border border-line bg-sunken py-2 outline-offset-[-2px]"
    >
      <table class="w-full border-collapse font-mono text-12 leading-5">
        <caption class="sr-only">{t('Lines of {file}', { file: query.file })}</caption>
        <tbody>
          {lines.map(({ number, text, isCut }) => {
            const isIt = number === query.line
            return (
              <tr
                key={number}
                class={classes(isIt && 'bg-warning-ground')}
                aria-current={isIt ? 'true' : undefined}
              >
                <th
                  scope="row"
                  class={classes(
                    'w-px px-3 text-right align-top font-normal whitespace-nowrap select-none',
                    isIt ? 'text-text' : 'text-faint',
                  )}
                >
                  {number}
                </th>
                <td class="pr-4 whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
                  <PlainText text={text} />
                  {isCut && <span class="text-faint"> {t('… the line goes on')}</span>}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {lines.length === 0 && <p class="px-4 py-3 text-13 text-soft">{t('The file is empty.')}</p>}
    </section>
  )
}
