import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import type { SearchResult } from '../../../../src/features/feedback/operations/inbox.ts'
import { internalQuery } from '../api/internal.ts'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Keys } from '../ui/kbd.tsx'
import { useGo } from '../ui/link.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { t } from '../words/words.ts'
import { type Command, resolveHeading, useAllCommands } from './commands.ts'
import { matchCommands } from './match-commands.ts'

/** Debounce before the typed text is sent to the server. */
const DEBOUNCE_MS = 120

type Hit = SearchResult['hits'][number]

/** Command palette: finds commands and content by typing. */
export function Palette({ projectId, onClose }: { projectId: string | undefined; onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const commands = useMatches(projectId, text)
  const active = Math.min(at, commands.length - 1)

  useEffect(() => {
    list.current?.querySelector(`[data-at="${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const run = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    // Runs after the dialog has restored the focus, so that whatever the command opens can take it.
    queueMicrotask(command.run)
  }
  return (
    <Dialog title={t('Find anything')} isBare width="lg" onClose={onClose}>
      <div class="flex max-h-[min(60vh,480px)] flex-col">
        <SearchLine
          listId={listId}
          activeId={commands.length > 0 ? `${listId}-${active}` : undefined}
          text={text}
          onText={(typed) => {
            setText(typed)
            setAt(0)
          }}
          onStep={(step) => setAt((active + step + commands.length) % Math.max(1, commands.length))}
          onEnter={() => run(commands[active])}
        />
        <div {...LIST} ref={list} id={listId} class="min-h-0 flex-1 overflow-y-auto p-2">
          {commands.map((command, index) => (
            <Option
              key={command.id}
              id={`${listId}-${index}`}
              index={index}
              command={command}
              isFirst={index === 0 || resolveHeading(command) !== resolveHeading(commands[index - 1] ?? {})}
              isActive={index === active}
              onPoint={() => index !== active && setAt(index)}
              onRun={() => run(command)}
            />
          ))}
          {commands.length === 0 && <NothingFound text={text} />}
        </div>
      </div>
    </Dialog>
  )
}

const COMBOBOX = {
  placeholder: t('Search, go or do'),
  'aria-label': t('Find anything'),
  role: 'combobox',
  'aria-expanded': 'true',
  autocomplete: 'off',
  spellcheck: false,
  autoFocus: true,
  maxLength: 200,
} as const
const LIST = { role: 'listbox', 'aria-label': t('Results') } as const

interface SearchLineProps {
  listId: string
  activeId: string | undefined
  text: string
  onText: (typed: string) => void
  onStep: (step: 1 | -1) => void
  onEnter: () => void
}

function SearchLine({ listId, activeId, text, onText, onStep, onEnter }: SearchLineProps) {
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const isEnter = event.key === 'Enter' && !event.isComposing
    if (!isEnter && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    if (isEnter) onEnter()
    else onStep(event.key === 'ArrowDown' ? 1 : -1)
  }
  return (
    <div class="flex items-center gap-3 border-b border-line px-4">
      <Icon name="search" class="text-faint" />
      <input
        {...COMBOBOX}
        class="h-12 min-w-0 flex-1 bg-transparent text-16 outline-none"
        aria-controls={listId}
        aria-activedescendant={activeId}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Keys keys="Escape" />
    </div>
  )
}

function NothingFound({ text }: { text: string }) {
  return (
    <p class="px-2 py-6 text-center text-13 text-soft">
      {t('No results for “{text}”. Try a word from a page or a comment, or what you want to do.', { text })}
    </p>
  )
}

interface OptionProps {
  id: string
  index: number
  command: Command
  /** First of its group, below the group heading. */
  isFirst: boolean
  isActive: boolean
  onPoint: () => void
  onRun: () => void
}

function Option({ id, index, command, isFirst, isActive, onPoint, onRun }: OptionProps) {
  return (
    <div role="presentation">
      {isFirst && (
        <div class="px-2 pt-2 pb-1 text-12 text-faint" role="presentation">
          {resolveHeading(command)}
        </div>
      )}
      <div
        id={id}
        data-at={index}
        role="option"
        tabIndex={-1}
        aria-selected={isActive}
        class={classes(
          'flex min-h-9 coarse:min-h-11 items-center gap-3 rounded-sm px-2',
          isActive && 'bg-hover',
        )}
        onPointerMove={onPoint}
        onClick={onRun}
        onKeyDown={() => undefined}
      >
        <Icon name={command.icon ?? 'arrow-right'} class="text-soft" />
        <span class="min-w-0 flex-1 truncate">
          <PlainText text={command.label} />
        </span>
        {command.detail !== undefined && (
          <span class="max-w-2/5 shrink-0 truncate text-12 text-faint">
            <PlainText text={command.detail} />
          </span>
        )}
        {command.keys !== undefined && <Keys keys={command.keys} />}
      </div>
    </div>
  )
}

/** Returns the matching commands and the server's search results. */
function useMatches(projectId: string | undefined, text: string): readonly Command[] {
  const go = useGo()
  const all = useAllCommands()
  const hits = useSearchHits(projectId, text)
  return useMemo(() => {
    const found = hits.map((hit) => toCommand(hit, projectId ?? '', go))
    return [...matchCommands(all, text), ...found]
  }, [all, text, hits, projectId, go])
}

const NO_HITS: readonly Hit[] = []

function useSearchHits(projectId: string | undefined, text: string): readonly Hit[] {
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useQuery({
    ...internalQuery('search', { params: { projectId: projectId ?? '' }, query: { q: asked } }),
    enabled: projectId !== undefined && asked.length > 1,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return asked.length > 1 && text.trim() !== '' ? (data?.hits ?? NO_HITS) : NO_HITS
}

const GROUPS = { page: 'pages', feedback: 'feedback', agent_job: 'agent', export: 'exports' }
/** Labels of job states. */
const DETAILS: Record<string, string | undefined> = {
  queued: t('Queued'),
  running: t('Running'),
  active: t('Working'),
  completed: t('Completed'),
  failed: t('Failed'),
  archived: t('Archived'),
}
const ICONS = { page: 'file-text', feedback: 'message-square', agent_job: 'bot', export: 'package' } as const

function toCommand(
  { kind, id, title, detail }: Hit,
  projectId: string,
  go: (href: string) => Promise<void>,
): Command {
  const base = `/p/${projectId}`
  const hrefs = {
    page: `${base}/feedback?path=${encodeURIComponent(id)}`,
    feedback: `${base}/feedback?entry=${encodeURIComponent(id)}`,
    agent_job: `${base}/agent/${encodeURIComponent(id)}`,
    export: `${base}/exports/${encodeURIComponent(id)}`,
  }
  const isSame = detail === title
  return {
    id: `${kind}-${id}`,
    label: kind === 'feedback' && isSame ? t('A vote without a comment') : title,
    ...(detail === null || (isSame && kind !== 'feedback') ? {} : { detail: DETAILS[detail] ?? detail }),
    group: GROUPS[kind],
    icon: ICONS[kind],
    run: () => void go(hrefs[kind]),
  }
}
