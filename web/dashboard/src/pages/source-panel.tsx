/** Source lines around the line of a problem. */

import { useQuery } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { internalQuery, type OperationResponse } from '../api/internal.ts'
import { ButtonLink } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { CopyId } from '../ui/copy.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Loaded, Skeleton } from '../ui/states.tsx'
import { t } from '../words/words.ts'

type SourceLines = OperationResponse<'getSourceLines'>

export interface SourceQuery {
  file: string
  line?: number
  exportId?: string
  deploymentId?: string
}

export function sourceQuery(projectId: string, query: SourceQuery) {
  return { ...internalQuery('getSourceLines', { params: { projectId }, query }), staleTime: 60_000 }
}

interface SourcePanelProps {
  projectId: string
  query: SourceQuery
  backHref: string
  children?: ComponentChildren
}

export function SourcePanel({ projectId, query, backHref, children }: SourcePanelProps) {
  const source = useQuery(sourceQuery(projectId, query))
  const { data } = source
  return (
    <Panel
      closeHref={backHref}
      title={
        <span class="font-mono text-13 font-medium">
          <PlainText text={query.file} />
          {query.line !== undefined && <span class="text-soft">:{query.line}</span>}
        </span>
      }
      about={
        data !== undefined &&
        (data.revision === null ? (
          t('The folder as it is now')
        ) : (
          <CopyId id={data.revision} label={t('Copy the revision')} isWhole={false} />
        ))
      }
      actions={
        data?.url != null && (
          <ButtonLink size="small" icon="external-link" href={data.url} target="_blank">
            {t('Open')}
          </ButtonLink>
        )
      }
    >
      {children}
      <Loaded query={source} skeleton={<Skeleton class="h-48 w-full rounded-md" />} isSmall>
        {({ lines }) => <Lines lines={lines} query={query} />}
      </Loaded>
    </Panel>
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
                  {isCut && <span class="text-faint"> {t('… line continues')}</span>}
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
