/** Facts next to the steps: the plan, budget usage, cost, sources, and the feedback that led to the job. */

import type { ComponentChildren } from 'preact'
import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { classes } from '../../ui/classes.ts'
import { Fact, Part } from '../../ui/fact.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Progress } from '../../ui/progress.tsx'
import { rich, t } from '../../words/words.ts'
import type { EventData } from './job-events.ts'
import { formatUsd, stripProvider } from './job-labels.ts'

interface JobFactsProps {
  projectId: string
  work: AgentWorkDetail
  usage: EventData<'usage'> | null
  changes: EventData<'changes'> | null
  plan: EventData<'plan'> | null
}

export function JobFacts({ projectId, work, usage, changes, plan }: JobFactsProps) {
  const { job, feedback, questions } = work
  return (
    <div class="space-y-7">
      {plan !== null && plan.items.length > 0 && <Plan plan={plan} />}
      <Part title={job.status === 'active' ? t('This turn') : t('Last turn')}>
        <CapUsage work={work} usage={usage} changes={changes} />
      </Part>
      <Part title={t('Cost')}>
        <dl class="space-y-1 text-13">
          <Amount label={t('So far')}>
            {formatUsd(usage?.costUsd ?? work.costUsd) ?? t('no price set')}
          </Amount>
          <Amount label={t('Input tokens')}>
            {formatCount(usage?.inputTokens ?? job.usage.inputTokens)}
          </Amount>
          <Amount label={t('Output tokens')}>
            {formatCount(usage?.outputTokens ?? job.usage.outputTokens)}
          </Amount>
        </dl>
      </Part>
      <WorksOn job={job} />
      {job.pullRequests.length > 1 && (
        <Part title={t('Pull requests')}>
          <ol class="space-y-1 text-13">
            {job.pullRequests.map(({ link, branch, state }) => (
              <li key={branch} class="flex gap-3">
                <span class="w-20 shrink-0 text-soft">{REQUEST_LABELS[state]}</span>
                <a
                  href={link}
                  target="_blank"
                  rel="noreferrer"
                  class="min-w-0 flex-1 truncate rounded-sm text-accent-11 hover:underline"
                  title={branch}
                >
                  <PlainText text={branch} />
                </a>
              </li>
            ))}
          </ol>
        </Part>
      )}
      {feedback.length > 0 && (
        <Part title={t('Answers', { context: 'job' })}>
          <ul class="space-y-1.5">
            {feedback.map(({ id, path, comment }) => (
              <li key={id} class="text-13">
                <Link look="quiet" href={`/p/${projectId}/feedback?entry=${id}`} class="block truncate">
                  <span class="mr-2 font-mono text-12 text-soft">
                    <PlainText text={path} />
                  </span>
                  <PlainText text={comment ?? ''} />
                </Link>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {questions.length > 0 && (
        <Part title={t('Questions it answers')}>
          <ul class="space-y-1.5">
            {questions.map(({ id, question }) => (
              <li key={id} class="text-13">
                <Link look="quiet" href={`/p/${projectId}/assistant?question=${id}`} class="block truncate">
                  <PlainText text={question} />
                </Link>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  )
}

const PLAN_STYLES = {
  open: { icon: 'circle', word: t('Open', { context: 'state' }), tone: 'text-faint' },
  at_work: { icon: 'circle-dot', word: t('Working'), tone: 'text-accent-11' },
  done: { icon: 'circle-check', word: t('Done', { context: 'state' }), tone: 'text-success' },
} as const

function Plan({ plan: { items } }: { plan: EventData<'plan'> }) {
  const done = items.filter(({ state }) => state === 'done').length
  return (
    <Part title={t('Plan, {done} of {total}', { done, total: items.length })}>
      <ol class="space-y-1.5">
        {items.map(({ text, state }, index) => {
          const { icon, word, tone } = PLAN_STYLES[state]
          return (
            <li key={index} class="flex gap-2 text-13">
              <span class="flex h-5 items-center">
                <Icon name={icon} size={14} label={word} class={tone} />
              </span>
              <span class={classes('min-w-0 flex-1 break-words', state === 'done' && 'text-soft')} dir="auto">
                <PlainText text={text} />
              </span>
            </li>
          )
        })}
      </ol>
    </Part>
  )
}

export function WorksOn({ job: { source, branch, model } }: Pick<AgentWorkDetail, 'job'>) {
  return (
    <Part title={t('Works on')}>
      <dl class="space-y-1 text-13">
        <Fact label={t('Repository')}>
          <span title={source.repository}>
            <PlainText text={shortenRepository(source.repository)} />
          </span>
        </Fact>
        <Fact label={t('Into', { context: 'branch' })}>
          <PlainText text={source.ref === 'HEAD' ? t('default branch') : source.ref} />
        </Fact>
        {branch !== null && (
          <Fact label={t('Branch')}>
            <span class="block truncate" title={branch}>
              <PlainText text={branch} />
            </span>
          </Fact>
        )}
        <Fact label={t('Model')}>
          <span title={model}>
            <PlainText text={stripProvider(model)} />
          </span>
        </Fact>
      </dl>
    </Part>
  )
}

const REQUEST_LABELS = {
  open: t('open', { context: 'pull request' }),
  merged: t('merged', { context: 'pull request' }),
  closed: t('declined', { context: 'pull request' }),
} as const

interface CollapsibleFactsProps {
  work: AgentWorkDetail
  plan: EventData<'plan'> | null
  children: ComponentChildren
}

/** Facts as a collapsible line above the steps, when there is no room next to them. */
export function CollapsibleFacts({ work: { job, costUsd }, plan, children }: CollapsibleFactsProps) {
  const items = plan?.items ?? []
  const now = items.find(({ state }) => state === 'at_work')
  const done = items.filter(({ state }) => state === 'done').length
  return (
    <details class="group border-b border-line">
      <summary class="list-none px-6 text-13 outline-offset-[-2px] max-md:px-4 [&::-webkit-details-marker]:hidden">
        <span class="flex min-h-(--control) max-w-page items-center gap-3">
          <span class="shrink-0 font-medium">
            {items.length === 0
              ? t('About the job')
              : t('Plan {done} of {total}', { done, total: items.length })}
          </span>
          <span class="min-w-0 flex-1 truncate text-soft" dir="auto">
            {job.status === 'active' && now !== undefined && <PlainText text={now.text} />}
          </span>
          <span class="shrink-0 text-soft tabular-nums">{formatUsd(costUsd)}</span>
          <Icon name="chevron-down" size={14} class="text-faint transition-transform group-open:rotate-180" />
        </span>
      </summary>
      <aside aria-label={t('About the job')} class="px-6 pt-2 pb-6 max-md:px-4">
        <div class="max-w-form">{children}</div>
      </aside>
    </details>
  )
}

function CapUsage({ work, usage, changes }: Pick<JobFactsProps, 'work' | 'usage' | 'changes'>) {
  const { caps, turn, job } = work
  const isActive = job.status === 'active'
  // Files are only published by a completed turn. In all other states, the files written so far are counted.
  const filesChanged =
    job.status === 'completed' ? job.filesChanged : (changes?.files.length ?? job.filesChanged)
  const meters: [string, number, number][] = [
    [t('Steps'), Math.max(turn.steps, isActive ? (usage?.steps ?? 0) : 0), caps.steps],
    [t('Tokens'), turn.tokens, caps.tokens],
    [t('Minutes'), Math.floor(turn.workedMs / 60_000), caps.minutes],
    [t('Files changed'), filesChanged, caps.files],
  ]
  // A finished job that stayed far below its limits needs no meters.
  return (
    <div class={isActive ? 'space-y-3' : 'space-y-1'}>
      {meters.map(([label, used, most]) =>
        isActive || used > most * WARNING_FRACTION ? (
          <div key={label} class={isActive ? '' : 'pb-2'}>
            <Progress
              label={label}
              value={used}
              total={most}
              tone={used > most * WARNING_FRACTION ? 'warning' : 'accent'}
            />
          </div>
        ) : (
          <p key={label} class="flex justify-between gap-3 text-13">
            <span class="text-soft">{label}</span>
            <span class="tabular-nums">
              {rich('{used} <most>of {limit}</most>', {
                used: formatCount(used),
                limit: formatCount(most),
                most: (inner) => <span class="text-faint">{inner}</span>,
              })}
            </span>
          </p>
        ),
      )}
    </div>
  )
}

/** Fraction of a limit above which usage is highlighted. */
const WARNING_FRACTION = 0.85

/** Returns the last segment of a folder, or owner and name of a URL. */
function shortenRepository(repository: string): string {
  const parts = repository
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .filter(Boolean)
  return parts.slice(/^[/.]/.test(repository) ? -1 : -2).join('/') || repository
}

function Amount({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="flex justify-between gap-3">
      <dt class="text-soft">{label}</dt>
      <dd class="tabular-nums">{children}</dd>
    </div>
  )
}
