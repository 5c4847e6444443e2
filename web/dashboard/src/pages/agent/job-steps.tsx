/** What the agent did, turn by turn: what was asked, what it said, its tools folded with their results, its checks. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { AgentEvent } from '../../../../../src/contract/agent.ts'
import type { AgentWorkDetail } from '../../../../../src/contract/dashboard-work.ts'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icon-names.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { nameOfPerson } from '../person-name.ts'
import { type EventData, type Turn, turnsOf } from './job-events.ts'
import { adviceFor, plural } from './job-words.ts'

/** Steps of a long turn that are shown until one asks for all. */
const STEPS_SHOWN = 200

export function JobSteps({
  events,
  prompts,
  isActive,
}: {
  events: readonly AgentEvent[]
  prompts: AgentWorkDetail['prompts']
  isActive: boolean
}) {
  const turns = useMemo(() => turnsOf(events), [events])
  const shown = new Set(turns.map(({ prompt }) => prompt?.number))
  const waiting = prompts.filter(({ number }) => !shown.has(number))
  const end = useRef<HTMLDivElement>(null)
  useStickToEnd(end, events.length)
  return (
    <div aria-live="off">
      <ol class="space-y-8" aria-label="Steps">
        {turns.map((turn, index) => (
          <TurnOf
            key={turn.prompt?.number ?? 0}
            turn={turn}
            prompt={prompts.find(({ number }) => number === turn.prompt?.number)}
            isAtWork={isActive && index === turns.length - 1}
          />
        ))}
        {waiting.map((prompt) => (
          <li key={prompt.number}>
            <Prompt text={prompt.prompt} prompt={prompt} />
            <p class="mt-3 text-13 text-soft">
              {isActive ? 'Taken up when the work before it is done.' : 'Not taken up.'}
            </p>
          </li>
        ))}
      </ol>
      <div ref={end} />
    </div>
  )
}

function TurnOf({
  turn,
  prompt,
  isAtWork,
}: {
  turn: Turn
  prompt: AgentWorkDetail['prompts'][number] | undefined
  isAtWork: boolean
}) {
  const [isAll, setAll] = useState(false)
  const hidden = isAll ? 0 : Math.max(0, turn.steps.length - STEPS_SHOWN)
  return (
    <li>
      {turn.prompt !== null && <Prompt text={prompt?.prompt ?? turn.prompt.text} prompt={prompt} />}
      <ol class="mt-4 space-y-1">
        {hidden > 0 && (
          <li>
            <button type="button" class="text-13 text-accent-11 hover:underline" onClick={() => setAll(true)}>
              Show {plural(hidden, 'earlier step')}
            </button>
          </li>
        )}
        {turn.steps.slice(hidden).map((event, index) => (
          <Step key={hidden + index} event={event} />
        ))}
        {isAtWork && (
          <li class="flex items-center gap-2 py-1.5 text-13 text-soft">
            <span class="flex size-4 items-center justify-center">
              <span class="size-2 animate-breathe rounded-full bg-accent-9" />
            </span>
            At work …
          </li>
        )}
      </ol>
    </li>
  )
}

function Prompt({ text, prompt }: { text: string; prompt: AgentWorkDetail['prompts'][number] | undefined }) {
  const name = nameOfPerson(prompt?.askedBy ?? null)
  return (
    <div class="rounded-md border border-line bg-sunken px-4 py-3">
      <p class="mb-1 flex flex-wrap items-center gap-x-2 text-12 text-faint">
        <span class="font-medium text-soft">{name ?? 'Asked'}</span>
        {prompt !== undefined && <RelativeTime at={prompt.createdAt} />}
      </p>
      <p class="text-14 break-words whitespace-pre-wrap" dir="auto">
        <PlainText text={text} />
      </p>
    </div>
  )
}

function Step({ event }: { event: AgentEvent }) {
  switch (event.type) {
    case 'text':
      return event.data.text.trim() === '' ? null : (
        <li class="py-1.5 pl-6 text-14 leading-relaxed break-words whitespace-pre-wrap" dir="auto">
          <PlainText text={event.data.text.trim()} />
        </li>
      )
    case 'tool':
      return <Tool data={event.data} />
    case 'check':
      return <Check data={event.data} />
    case 'waiting':
      return (
        <Line icon="clock" tone="text-warning">
          Waits {Math.ceil(event.data.seconds)} s: <PlainText text={event.data.for} />
        </Line>
      )
    case 'changes':
      return event.data.files.length === 0 ? null : (
        <Line icon="files">
          {plural(event.data.files.length, 'file')} {event.data.files.length === 1 ? 'differs' : 'differ'}{' '}
          from where the job began
        </Line>
      )
    case 'job':
      return <End data={event.data} />
    default:
      return null
  }
}

function Line({
  icon,
  tone = 'text-faint',
  children,
}: {
  icon: IconName
  tone?: string
  children: preact.ComponentChildren
}) {
  return (
    <li class="flex items-start gap-2 py-1 text-13 text-soft">
      <span class="flex h-5 items-center">
        <Icon name={icon} size={14} class={tone} />
      </span>
      <span class="min-w-0 flex-1 break-words">{children}</span>
    </li>
  )
}

const TOOL_ICONS: Record<string, IconName> = {
  read_file: 'file-text',
  list_files: 'folder',
  search: 'search',
  edit_file: 'pencil',
  write_file: 'pencil',
  delete_file: 'trash-2',
  move_file: 'arrow-right',
  update_navigation: 'list',
  plan: 'list-checks',
  preview: 'eye',
  check: 'shield-check',
  finish: 'circle-check',
}

const TOOL_WORDS: Record<string, string> = {
  read_file: 'Read',
  list_files: 'Listed files',
  search: 'Searched',
  edit_file: 'Edited',
  write_file: 'Wrote',
  delete_file: 'Deleted',
  move_file: 'Moved',
  update_navigation: 'Changed the navigation',
  plan: 'Planned',
  preview: 'Looked at the rendered page',
  check: 'Checked the site',
  finish: 'Finished',
}

/** What a call is about, out of its shortened JSON: the file, the words that were looked for. */
function mainPart(input: string): string {
  const part = /"(?:path|from|query|glob|page|title)":"((?:[^"\\]|\\.)*)"/.exec(input)?.[1]
  if (part !== undefined) return part.replace(/\\(["\\/])/g, '$1')
  return /^\{["\w]/.test(input) ? '' : input
}

function Tool({ data: { name, input, result, isError } }: { data: EventData<'tool'> }) {
  const word = Object.hasOwn(TOOL_WORDS, name) ? TOOL_WORDS[name] : name
  const icon = Object.hasOwn(TOOL_ICONS, name) ? TOOL_ICONS[name] : undefined
  return (
    <li>
      <details class="group rounded-sm open:bg-sunken">
        <summary class="flex list-none items-center gap-2 rounded-sm py-1 text-13 text-soft hover:text-text coarse:min-h-(--control) [&::-webkit-details-marker]:hidden">
          <span class="flex size-4 shrink-0 items-center justify-center">
            <Icon
              name={isError ? 'circle-alert' : (icon ?? 'wrench')}
              size={14}
              class={isError ? 'text-danger' : 'text-faint'}
            />
          </span>
          <span class="shrink-0 font-medium">{word}</span>
          <span class="min-w-0 flex-1 truncate font-mono text-12" dir="auto">
            <PlainText text={mainPart(input)} />
          </span>
          {isError && <span class="shrink-0 text-12 text-danger">refused</span>}
          <Icon name="chevron-right" size={14} class="text-faint transition-transform group-open:rotate-90" />
        </summary>
        <div class="space-y-2 px-6 pt-1 pb-3 text-13">
          <div>
            <p class="text-12 text-faint">Asked</p>
            <pre class="max-h-80 overflow-auto font-mono text-12 break-words whitespace-pre-wrap" dir="auto">
              <PlainText text={`${name} ${input}`} />
            </pre>
          </div>
          <div>
            <p class="text-12 text-faint">{isError ? 'Refused' : 'Result'}</p>
            <pre class="max-h-80 overflow-auto font-mono text-12 break-words whitespace-pre-wrap" dir="auto">
              <PlainText text={result === '' ? '(nothing)' : result} />
            </pre>
          </div>
        </div>
      </details>
    </li>
  )
}

function Check({ data: { passed, round, problems } }: { data: EventData<'check'> }) {
  if (passed) {
    return (
      <Line icon="shield-check" tone="text-success">
        The changed site passes the check{round > 1 ? `, in round ${round}` : ''}
      </Line>
    )
  }
  return (
    <li>
      <details class="group" open>
        <summary class="flex list-none items-center gap-2 py-1 text-13 text-soft hover:text-text [&::-webkit-details-marker]:hidden">
          <Icon name="triangle-alert" size={14} class="text-warning" />
          <span class="flex-1">
            The check found {plural(problems.length, 'problem')} (round {round}); the agent mends them
          </span>
          <Icon name="chevron-right" size={14} class="text-faint transition-transform group-open:rotate-90" />
        </summary>
        <ul class="space-y-1 pt-1 pb-2 pl-6 text-13">
          {problems.map(({ path, line, message }, index) => (
            <li key={index} class="break-words">
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

function End({ data }: { data: EventData<'job'> }) {
  if (data.status === 'failed') {
    const error = data.error ?? 'The job failed.'
    return (
      <li class="mt-2 flex gap-2 rounded-md bg-danger-ground px-4 py-3 text-13">
        <Icon name="circle-alert" class="mt-0.5 text-danger" />
        <div class="min-w-0 flex-1">
          <p class="font-medium break-words">
            <PlainText text={error} />
          </p>
          <p class="mt-0.5 text-soft">{adviceFor(error)}</p>
        </div>
      </li>
    )
  }
  if (data.status === 'archived') return <Line icon="archive">Put away; it takes no more messages</Line>
  return (
    <Line icon="circle-check" tone="text-success">
      {data.filesChanged === 0
        ? 'Done: no file had to be changed'
        : `Done: ${plural(data.filesChanged, 'file')} changed`}
    </Line>
  )
}

/** Follows what comes while one looks at the end of it; who has scrolled up stays there. */
function useStickToEnd(end: { current: HTMLElement | null }, count: number): void {
  const isNear = useRef(false)
  useEffect(() => {
    const box = end.current?.closest('[data-scrolls]')
    if (!(box instanceof HTMLElement)) return
    const look = () => {
      isNear.current = box.scrollHeight - box.scrollTop - box.clientHeight < 120
    }
    box.addEventListener('scroll', look, { passive: true })
    return () => box.removeEventListener('scroll', look)
  }, [end])
  useEffect(() => {
    if (isNear.current) end.current?.scrollIntoView({ block: 'end' })
  }, [count])
}
