/** List of statements with their lines of code, the changes that put them in doubt, and the buttons to confirm them. */

import { useInfiniteQuery } from '@tanstack/react-query'
import type {
  Statement,
  StatementQuery,
} from '../../../../../src/features/statements/operations/statements.ts'
import { octavo } from '../../api/octavo.ts'
import { ActionButton } from '../../app/action.tsx'
import { useHasPermission } from '../../app/session.ts'
import { Badge, StatusDot } from '../../ui/badge.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'

interface Filters {
  page: string | undefined
  file: string | undefined
  state: string | undefined
}

export function StatementRows({ projectId, query }: { projectId: string; query: Filters }) {
  const pages = useInfiniteQuery({
    queryKey: ['listStatements', projectId, query],
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      octavo.call('listStatements', { params: { projectId }, query: toQuery(query, pageParam) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor,
  })
  const statements = pages.data?.pages.flatMap((page) => page.statements) ?? []
  return (
    <>
      <Loaded query={pages} skeleton={<SkeletonRows />}>
        {() =>
          statements.length === 0 ? (
            <EmptyState icon="link" title={t('No such statement')}>
              <p>
                {query.state === 'in_doubt'
                  ? t('No code change contradicts the docs.')
                  : t('No statements here are linked to code.')}
              </p>
            </EmptyState>
          ) : (
            <ol
              class="divide-y divide-line rounded-md border border-line bg-raised"
              aria-label={t('Statements')}
            >
              {statements.map((statement) => (
                <Row key={statement.id} projectId={projectId} statement={statement} />
              ))}
            </ol>
          )
        }
      </Loaded>
      <MoreButton pages={pages} label={t('Show more')} />
    </>
  )
}

function toQuery({ page, file, state }: Filters, cursor: string | null): StatementQuery {
  return {
    ...(page !== undefined && { page }),
    ...(file !== undefined && { file }),
    ...(state !== undefined && { state: state as Statement['state'] }),
    ...(cursor !== null && { cursor }),
  }
}

const STATES = {
  bound: { tone: 'neutral', label: t('Bound') },
  confirmed: { tone: 'success', label: t('Confirmed') },
  in_doubt: { tone: 'warning', label: t('In doubt') },
} as const

function Row({ projectId, statement }: { projectId: string; statement: Statement }) {
  const { page, line, text, state, bindings, alarms } = statement
  return (
    <li class="space-y-2 px-4 py-3">
      <div class="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
        <StatusDot {...STATES[state]} />
        <span class="min-w-0 font-mono text-12 break-all text-soft" dir="auto">
          {page}:{line}
        </span>
      </div>
      <div class="break-words">
        <PlainText text={text} />
      </div>
      {alarms.map(({ repository, pullRequest, before, after }) => (
        <div key={`${repository} ${pullRequest}`} class="space-y-1">
          {pullRequest !== null && <Badge>{`${repository} #${pullRequest}`}</Badge>}
          <CodeLines
            lines={[
              { sign: '−', ...before, file: `${repository}/${before.file}` },
              ...(after === null ? [] : [{ sign: '+', ...after, file: `${repository}/${after.file}` }]),
            ]}
          />
        </div>
      ))}
      {alarms.length === 0 && (
        <CodeLines
          lines={bindings.map((one) => ({ ...one, sign: '', file: `${one.repository}/${one.file}` }))}
        />
      )}
      <Confirmation projectId={projectId} statement={statement} />
    </li>
  )
}

interface ShownLine {
  sign: string
  file: string
  line: number
  text: string
  quote?: string
}

function CodeLines({ lines }: { lines: readonly ShownLine[] }) {
  return (
    <ul class="space-y-1 text-12">
      {lines.map(({ sign, file, line, text, quote }) => (
        <li
          key={`${sign} ${file}:${line}`}
          class="rounded-sm bg-neutral-2 px-2 py-1 font-mono break-all"
          dir="ltr"
        >
          <span class="block text-soft">
            {file}:{line}
          </span>
          {sign} {text}
          {quote && <span class="block text-soft">{t('Found by a model in “{quote}”', { quote })}</span>}
        </li>
      ))}
    </ul>
  )
}

function Confirmation({ projectId, statement }: { projectId: string; statement: Statement }) {
  const mayConfirm = useHasPermission('agent')
  if (!mayConfirm) return null
  const { id: statementId, state, text } = statement
  const button = (label: string, how: 'change' | 'always' | 'none') => (
    <ActionButton
      aria-label={`${label}: ${text}`}
      run={() => octavo.call('confirmStatement', { params: { projectId, statementId }, body: { for: how } })}
      failed={t('The statement was not changed')}
      refreshes={['listStatements', 'getStatementSummary']}
    >
      {label}
    </ActionButton>
  )
  return (
    <div class="flex flex-wrap gap-2">
      {state === 'confirmed' ? (
        button(t('Withdraw'), 'none')
      ) : (
        <>
          {button(state === 'in_doubt' ? t('It still holds') : t('It holds'), 'change')}
          {button(t('Always quiet'), 'always')}
        </>
      )}
    </div>
  )
}
