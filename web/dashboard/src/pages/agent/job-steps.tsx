/** Steps of the agent, turn by turn: prompts, messages, tool calls with their results, checks. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { AgentEvent } from '../../../../../src/features/agent/operations/agent.ts'
import { EXTERNAL_SERVICES } from '../../../../../src/features/agent/operations/external-services.ts'
import type { AgentWorkDetail } from '../../../../../src/features/dashboard/operations/work.ts'
import { type CollapseLimits, CollapsibleText } from '../../ui/collapsible-text.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { SkeletonRows } from '../../ui/states.tsx'
import { formatDuration, formatExactTime, RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { describeReason } from '../job-reason.tsx'
import { displayPersonName } from '../person-name.ts'
import type { EventData } from './job-events.ts'
import { Tool } from './job-tool.tsx'
import { groupEventsByTurn, type Turn } from './job-turns.ts'

/** Maximum number of steps of a long turn that are shown before the user expands it. */
const MAX_STEPS_SHOWN = 200

interface JobStepsProps {
  events: readonly AgentEvent[]
  prompts: AgentWorkDetail['prompts']
  /** True once all existing events have been loaded. */
  isRead: boolean
  isActive: boolean
  /** True if the reason for the last failure is shown above the steps and need not be repeated in them. */
  isReasonAbove: boolean
}

export function JobSteps({ events, prompts, isRead, isActive, isReasonAbove }: JobStepsProps) {
  const turns = useMemo(() => groupEventsByTurn(events), [events])
  const shown = new Set(turns.map(({ prompt }) => prompt?.number))
  const waiting = prompts.filter(({ number }) => !shown.has(number))
  const end = useRef<HTMLDivElement>(null)
  useScrollToEnd(end, events.length, isActive)
  return (
    <div aria-live="off">
      <ol class="space-y-8" aria-label={t('Steps')}>
        {turns.map((turn, index) => (
          <TurnSteps
            key={turn.prompt?.number ?? 0}
            turn={turn}
            prompt={prompts.find(({ number }) => number === turn.prompt?.number)}
            isAtWork={isActive && index === turns.length - 1}
            isReasonAbove={isReasonAbove && index === turns.length - 1}
          />
        ))}
        {waiting.map((prompt) => (
          <li key={prompt.number}>
            <Prompt text={prompt.prompt} prompt={prompt} />
            <p class="mt-3 text-13 text-soft">
              {isActive ? t('Starts when the current work is done.') : isRead && t('Not started.')}
            </p>
          </li>
        ))}
      </ol>
      {turns.length === 0 && !isRead && <SkeletonRows count={4} label={t('Loading the steps')} />}
      <div ref={end} />
    </div>
  )
}

interface TurnStepsProps {
  turn: Turn
  prompt: AgentWorkDetail['prompts'][number] | undefined
  isAtWork: boolean
  isReasonAbove: boolean
}

function TurnSteps({ turn, prompt, isAtWork, isReasonAbove }: TurnStepsProps) {
  const [isAll, setAll] = useState(false)
  const hidden = isAll ? 0 : Math.max(0, turn.steps.length - MAX_STEPS_SHOWN)
  const lastFailed = turn.steps.findLast(({ type, data }) => type === 'check' && !data.passed)
  const isOver = turn.steps.some(({ type, data }) => type === 'job' && data.status === 'failed')
  return (
    <li>
      {turn.prompt !== null && <Prompt text={prompt?.prompt ?? turn.prompt.text} prompt={prompt} />}
      <ol class="mt-4 space-y-1">
        {hidden > 0 && (
          <li>
            <button type="button" class="text-13 text-accent-11 hover:underline" onClick={() => setAll(true)}>
              {plural(hidden, 'Show {count} earlier step', 'Show {count} earlier steps')}
            </button>
          </li>
        )}
        {turn.steps.slice(hidden).map((event, index) => (
          <Step
            key={hidden + index}
            event={event}
            isLastFailed={event === lastFailed}
            isOver={isOver}
            isReasonAbove={isReasonAbove}
          />
        ))}
        {isAtWork && (
          <li class="flex items-center gap-2 py-1.5 text-13 text-soft">
            <span class="flex size-4 items-center justify-center">
              <span class="size-2 animate-breathe rounded-full bg-accent-9" />
            </span>
            {t('Working …')}
          </li>
        )}
      </ol>
    </li>
  )
}

const PROMPT_COLLAPSE: CollapseLimits = { lines: 8, characters: 700, clamp: 'line-clamp-6' }

function Prompt({ text, prompt }: { text: string; prompt: AgentWorkDetail['prompts'][number] | undefined }) {
  // Prompts from the dashboard name their author; comments on the forge are combined from all reviewers.
  const name =
    prompt?.askedBy === null ? t('Reviewers on the forge') : displayPersonName(prompt?.askedBy ?? null)
  return (
    <div class="rounded-md border border-line bg-sunken px-4 py-3">
      <p class="mb-1 flex flex-wrap items-center gap-x-2 text-12 text-faint">
        <span class="max-w-64 truncate font-medium text-soft" title={name ?? undefined}>
          {name ?? t('Asked')}
        </span>
        {prompt !== undefined && <RelativeTime at={prompt.createdAt} />}
        {prompt !== undefined && !(prompt.startedAt === null || prompt.endedAt === null) && (
          <span title={`${formatExactTime(prompt.startedAt)} – ${formatExactTime(prompt.endedAt)}`}>
            {t('took {duration}', {
              duration: formatDuration(
                Math.max(0, Date.parse(prompt.endedAt) - Date.parse(prompt.startedAt)),
              ),
            })}
          </span>
        )}
      </p>
      <CollapsibleText text={text} fold={PROMPT_COLLAPSE} />
    </div>
  )
}

interface StepProps {
  event: AgentEvent
  isLastFailed: boolean
  /** True if the turn failed. */
  isOver: boolean
  isReasonAbove: boolean
}

function Step({ event, isLastFailed, isOver, isReasonAbove }: StepProps) {
  switch (event.type) {
    case 'text':
      return event.data.text.trim() === '' ? null : (
        <li class="py-1.5 pl-6 text-14 leading-relaxed break-words whitespace-pre-wrap" dir="auto">
          <PlainText text={event.data.text.trim()} />
        </li>
      )
    case 'tool':
      return <Tool data={event.data} />
    case 'plan':
      return <Plan items={event.data.items} />
    case 'check':
      return <Check data={event.data} isOpen={isLastFailed} isGivenUp={isLastFailed && isOver} />
    case 'notice':
      return (
        <Line icon="info" tone="text-warning">
          <PlainText text={event.data.text} />
        </Line>
      )
    case 'waiting':
      if (event.data.question !== undefined)
        return (
          <Line icon="circle-help" tone="text-warning">
            {rich('The agent asks: {question}', { question: <PlainText text={event.data.question} /> })}
          </Line>
        )
      return (
        <Line icon="clock" tone="text-warning">
          {describeWaiting(event.data)}
        </Line>
      )
    case 'changes':
      return event.data.files.length === 0 ? null : (
        <Line icon="files">
          {plural(
            event.data.files.length,
            '{count} file changed since the job began',
            '{count} files changed since the job began',
          )}
        </Line>
      )
    case 'job':
      return <End data={event.data} isReasonAbove={isReasonAbove} />
    default:
      return null
  }
}

/** Describes the reason why a job waits. A server of another version may send other values. */
function describeWaiting({ for: what, seconds }: EventData<'waiting'>) {
  const duration = formatDuration(seconds * 1000)
  switch (what) {
    case EXTERNAL_SERVICES.model:
      return t('Waiting for the AI model, next try in {duration}', { duration })
    case EXTERNAL_SERVICES.forge:
      return t('Waiting for the forge, next try in {duration}', { duration })
    case EXTERNAL_SERVICES.repository:
      return t('Waiting for the repository, next try in {duration}', { duration })
    default:
      return rich('Waiting for {what}, next try in {duration}', {
        what: <PlainText text={what} />,
        duration,
      })
  }
}

interface LineProps {
  icon: IconName
  tone?: string
  children: preact.ComponentChildren
}

function Line({ icon, tone = 'text-faint', children }: LineProps) {
  return (
    <li class="flex items-start gap-2 py-1 text-13 text-soft">
      <span class="flex h-5 w-4 shrink-0 items-center justify-center">
        <Icon name={icon} size={14} class={tone} />
      </span>
      <span class="min-w-0 flex-1 break-words">{children}</span>
    </li>
  )
}

function Plan({ items }: EventData<'plan'>) {
  const next = items.find(({ state }) => state === 'at_work') ?? items.find(({ state }) => state === 'open')
  const done = items.filter(({ state }) => state === 'done').length
  return (
    <Line icon="list-checks">
      <span class="mr-2 font-medium">{t('Plan', { context: 'agent job' })}</span>
      {next === undefined ? t('nothing left to do') : <PlainText text={next.text} />}
      <span class="ml-2 text-faint tabular-nums">
        {t('{done} of {total}', { done, total: items.length })}
      </span>
    </Line>
  )
}

interface CheckProps {
  data: EventData<'check'>
  isOpen: boolean
  /** True if no further step could fix the problems. */
  isGivenUp: boolean
}

/** Result of a check. The problems are expanded in the last round that found any. */
function Check({ data: { passed, round, problems }, isOpen, isGivenUp }: CheckProps) {
  if (passed) {
    return (
      <Line icon="shield-check" tone="text-success">
        {round > 1
          ? t('The changed site passed the check in round {round}', { round })
          : t('The changed site passed the check')}
      </Line>
    )
  }
  return (
    <li>
      <details class="group" open={isOpen}>
        <summary class="flex list-none items-center gap-2 py-1 text-13 text-soft hover:text-text [&::-webkit-details-marker]:hidden">
          <span class="flex size-4 shrink-0 items-center justify-center">
            <Icon name="triangle-alert" size={14} class="text-warning" />
          </span>
          <span class="flex-1">
            {isGivenUp
              ? plural(
                  problems.length,
                  'The check found {count} problem (round {round})',
                  'The check found {count} problems (round {round})',
                  { round },
                )
              : plural(
                  problems.length,
                  'The check found {count} problem (round {round}); the agent is fixing it',
                  'The check found {count} problems (round {round}); the agent is fixing them',
                  { round },
                )}
          </span>
          <Icon name="chevron-right" size={14} class="text-faint transition-transform group-open:rotate-90" />
        </summary>
        <ul class="space-y-1 pt-1 pb-2 pl-6 text-13">
          {problems.map(({ path, line, message }, index) => (
            <li key={index} class="break-words" lang="en">
              <span class="font-mono text-12 text-soft">
                <PlainText text={path} />
                {line !== null && `:${line}`}
              </span>{' '}
              <PlainText text={message} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

function End({ data, isReasonAbove }: { data: EventData<'job'>; isReasonAbove: boolean }) {
  if (data.status === 'failed') {
    const isCancelled = data.errorCode === 'cancelled'
    return (
      <Line
        icon={isCancelled ? 'circle-x' : 'circle-alert'}
        tone={isCancelled ? 'text-faint' : 'text-danger'}
      >
        <PlainText text={(isReasonAbove ? null : describeReason(data)) ?? t('The job failed.')} />
      </Line>
    )
  }
  if (data.status === 'archived') return <Line icon="archive">{t('Archived')}</Line>
  if (data.unfinished !== null)
    return (
      <Line icon="triangle-alert" tone="text-warning">
        {plural(
          data.filesChanged,
          'Stopped at a limit with {count} file changed and work remaining',
          'Stopped at a limit with {count} files changed and work remaining',
        )}
      </Line>
    )
  return (
    <Line icon="circle-check" tone="text-success">
      {data.filesChanged === 0
        ? t('Done: no files changed')
        : plural(data.filesChanged, 'Done: {count} file changed', 'Done: {count} files changed')}
    </Line>
  )
}

/**
 * Scrolls to new steps while the end is in view. For a running job, it also does so initially, until the user scrolls
 * up.
 */
function useScrollToEnd(end: { current: HTMLElement | null }, count: number, isActive: boolean): void {
  const isNear = useRef(isActive)
  useEffect(() => {
    const box = findScrollContainer(end.current)
    if (box === null) return
    const updateIsNear = () => {
      isNear.current = box.scrollHeight - box.scrollTop - box.clientHeight < 120
    }
    box.addEventListener('scroll', updateIsNear, { passive: true })
    return () => box.removeEventListener('scroll', updateIsNear)
  }, [end])
  useEffect(() => {
    const box = findScrollContainer(end.current)
    if (isNear.current && box !== null) box.scrollTop = box.scrollHeight
  }, [end, count])
}

/** Returns the scroll container, which depends on the width of the window. */
function findScrollContainer(element: HTMLElement | null): HTMLElement | null {
  let box = element?.closest<HTMLElement>('[data-scrolls]') ?? null
  while (box !== null && getComputedStyle(box).overflowY !== 'auto')
    box = box.parentElement?.closest<HTMLElement>('[data-scrolls]') ?? null
  return box
}
