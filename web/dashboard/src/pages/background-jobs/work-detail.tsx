/** Detail of an export or a deployment: state, result and facts, with the source of a problem next to them. */

import type { ComponentChildren } from 'preact'
import type { ExportJob } from '../../../../../src/features/export/operations/static-export.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { StatusDot } from '../../ui/badge.tsx'
import { Notice } from '../../ui/card.tsx'
import { classes } from '../../ui/classes.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Part } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageHeader, Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { type EndedJob, jobErrorRemedy, Reason, ReasonDetails } from '../job-reason.tsx'
import { ProblemGroups, toProblems } from '../problem-groups.tsx'
import { SourcePanel, type SourceQuery } from '../source-panel.tsx'
import type { WorkState } from './work-list.tsx'

/** Live events arrive once per second; polling keeps the progress bar moving in between. */
const POLL_INTERVAL_MS = 700

export function polled<Data, Query>(query: Query, isRunning: (data: Data) => boolean) {
  return {
    ...query,
    refetchInterval: ({ state: { data } }: { state: { data: Data | undefined } }) =>
      data !== undefined && isRunning(data) ? POLL_INTERVAL_MS : false,
  }
}

interface WorkLoadingProps {
  title: string
  back: { href: string; label: string }
  error: unknown
  onRetry: () => unknown
}

export function WorkLoading({ title, back, error, onRetry }: WorkLoadingProps) {
  useEscapeTo(back.href)
  return (
    <>
      <PageHeader title={title} back={back} />
      {error === null ? (
        <Skeleton class="m-6 h-32 rounded-md" />
      ) : (
        <ErrorState error={error} onRetry={onRetry} />
      )}
    </>
  )
}

interface WorkAboutProps {
  state: WorkState
  by: string | null
  at: string
  id: string
  idLabel: string
}

export function WorkAbout({ state, by, at, id, idLabel }: WorkAboutProps) {
  return (
    <span class="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusDot {...state} />
      {by !== null && (
        <span class="max-w-64 truncate" title={by}>
          {by}
        </span>
      )}
      <RelativeTime at={at} />
      <CopyId id={id} label={idLabel} isWhole={false} />
    </span>
  )
}

interface WorkDetailProps extends WorkAboutProps {
  /** Label of the back link, for example `Export`, and storage key for the width of the panel. */
  name: string
  noun: string
  title: string
  here: string
  back: { href: string; label: string }
  actions: ComponentChildren
  factsLabel: string
  facts: ComponentChildren
  warnings: ExportJob['warnings']
  version: Pick<SourceQuery, 'exportId' | 'deploymentId'>
  children: ComponentChildren
}

export function WorkDetail(props: WorkDetailProps) {
  const { name, noun, title, here, back, actions, factsLabel, facts, warnings, version, children } = props
  const projectId = useProjectId()
  const [{ file, line }] = useQueryParameters()
  const isOpen = file !== undefined
  useEscapeTo(isOpen ? here : back.href)
  return (
    <>
      <PageHeader title={title} back={back} about={<WorkAbout {...props} />} actions={actions} />
      <SplitView
        name={name}
        backHref={here}
        backLabel={noun}
        list={
          <div class="min-h-0 flex-1 overflow-y-auto">
            <div class={classes('flex min-h-full max-w-frame flex-col', !isOpen && 'lg:flex-row')}>
              <div class={classes('min-w-0 px-6 py-6 max-md:px-4', !isOpen && 'lg:flex-1')}>
                <div class="max-w-form">{children}</div>
              </div>
              <aside
                aria-label={factsLabel}
                class={classes(
                  'shrink-0 px-6 pb-6 max-md:px-4',
                  !isOpen && 'lg:w-80 lg:border-l lg:border-line lg:px-5 lg:pt-6',
                )}
              >
                <div class="max-w-form">{facts}</div>
              </aside>
            </div>
          </div>
        }
        detail={
          isOpen ? (
            <SourcePanel projectId={projectId} query={toSourceQuery(file, line, version)} backHref={here}>
              {warnings
                .filter((warning) => warning.path === file && (warning.line ?? 0) === (Number(line) || 0))
                .map(({ message }) => (
                  <Notice key={message} tone="warning" title="">
                    <PlainText text={message} />
                  </Notice>
                ))}
            </SourcePanel>
          ) : null
        }
      />
    </>
  )
}

/** Returns the query of the source panel, which shows the whole file if the line is invalid. */
export function toSourceQuery(
  file: string,
  line: string | undefined,
  version: Pick<SourceQuery, 'exportId' | 'deploymentId'>,
): SourceQuery {
  return { file, ...(Number(line) >= 1 ? { line: Number(line) } : {}), ...version }
}

interface WorkFailureProps {
  job: EndedJob
  otherwise: string
  /** Text after the remedy: which state has not changed, and what to do next. */
  children: ComponentChildren
}

export function WorkFailure({ job, otherwise, children }: WorkFailureProps) {
  const { errorCode } = job
  const wasCancelled = errorCode === 'cancelled'
  return (
    <div
      role="status"
      class={classes(
        'mb-8 flex gap-3 rounded-md px-4 py-3',
        wasCancelled ? 'border border-line' : 'bg-danger-ground',
      )}
    >
      <Icon
        name={wasCancelled ? 'circle-x' : 'circle-alert'}
        class={wasCancelled ? 'mt-0.5 text-soft' : 'mt-0.5 text-danger'}
      />
      <div class="min-w-0 flex-1 text-13">
        <Reason job={job} otherwise={otherwise} />
        <p class="mt-0.5 text-soft">
          {wasCancelled || errorCode === null ? '' : `${jobErrorRemedy(errorCode) ?? ''} `}
          {children}
        </p>
        <ReasonDetails job={job} />
      </div>
    </div>
  )
}

interface WorkProblemsProps {
  warnings: ExportJob['warnings']
  /** Total number of problems. If there are many, only some of them are stored. */
  count: number
  about?: string
  here: string
  version: Pick<SourceQuery, 'exportId' | 'deploymentId'>
}

export function WorkProblems({ warnings, count, about, here, version }: WorkProblemsProps) {
  const projectId = useProjectId()
  const [parameters] = useQueryParameters()
  return (
    <Section
      title={t('Content problems')}
      {...(count > 0 && {
        about: [plural(count, '{count} problem.', '{count} problems.'), about].filter(Boolean).join(' '),
      })}
    >
      {count === 0 ? (
        <NoProblems>{t('None found.')}</NoProblems>
      ) : (
        <ProblemGroups
          problems={toProblems(warnings)}
          projectId={projectId}
          parameters={parameters}
          here={here}
          version={version}
        />
      )}
      {count > warnings.length && (
        <p class="mt-2 text-13 text-soft">
          {plural(
            count - warnings.length,
            '{count} more problem. {command} lists all of them.',
            '{count} more problems. {command} lists all of them.',
            { command: 'octavo check' },
          )}
        </p>
      )}
    </Section>
  )
}

export function NoProblems({ children }: { children: ComponentChildren }) {
  return (
    <p class="flex items-center gap-2 text-13 text-soft">
      <Icon name="circle-check" class="text-success" /> {children}
    </p>
  )
}

export function FactList({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Part title={title}>
      <dl class="space-y-1 text-13">{children}</dl>
    </Part>
  )
}
