/**
 * What one can do right now: pages register commands while they are shown, the palette lists them, their keys run them,
 * and the sheet of keys names them. The newest registration wins where two want the same keys.
 */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { IconName } from '../ui/icon-names.ts'
import { t } from '../words/words.ts'
import { createStore, useStore } from './store.ts'

/** In the palette and the sheet of keys. */
const HEADINGS: Readonly<Record<string, string>> = {
  page: t('This page'),
  feedback: t('Feedback'),
  overview: t('Overview'),
  insights: t('Insights'),
  assistant: t('Assistant'),
  lists: t('Lists'),
  go: t('Go to', { context: 'heading' }),
  projects: t('Projects'),
  general: t('General'),
  developers: t('For developers'),
  pages: t('Pages'),
  agent: t('Agent jobs'),
  exports: t('Exports'),
}

export interface Command {
  /** Stays the same from one rendering to the next. */
  id: string
  label: string
  /** What tells it apart from others with that label, quietly beside it. */
  detail?: string
  /** Names one of the headings. Default: `page`. */
  group?: string
  icon?: IconName
  /** `s`, `shift+j`, `mod+enter` (Ctrl, or Cmd on a Mac), `Escape`, or two after each other: `g f`. */
  keys?: string
  /** Further words that find it. */
  words?: string
  run: () => void
  /** Only by its keys: not in the palette. */
  isKeysOnly?: boolean
  /** Not now. */
  isOff?: boolean
}

const registered = createStore<readonly (readonly Command[])[]>([])

/**
 * Registers commands while the component is shown. `run` may close over anything: the newest one is called. Those of the
 * frame (`isBase`) give way to any page that wants the same keys.
 */
export function useCommands(
  commands: readonly Command[],
  { isBase = false }: { isBase?: boolean } = {},
): void {
  const newest = useRef(commands)
  newest.current = commands
  // What the palette and the keys see; functions are looked up when they are run.
  const shape = JSON.stringify(commands.map(({ run: _, ...rest }) => rest))
  const stable = useMemo(
    () =>
      (JSON.parse(shape) as Omit<Command, 'run'>[]).map((command) => ({
        ...command,
        run: () => newest.current.find(({ id }) => id === command.id)?.run(),
      })),
    [shape],
  )
  useLayoutEffect(() => {
    registered.set(isBase ? [stable, ...registered.get()] : [...registered.get(), stable])
    return () => registered.set(registered.get().filter((list) => list !== stable))
  }, [stable, isBase])
}

/** All that can be done now, those of the page first. */
export function useAllCommands(): readonly Command[] {
  const lists = useStore(registered)
  return useMemo(() => unique([...lists].reverse().flat()), [lists])
}

export function commandsNow(): readonly Command[] {
  return unique([...registered.get()].reverse().flat()).filter(({ isOff }) => !isOff)
}

function unique(commands: readonly Command[]): Command[] {
  return [...new Map(commands.toReversed().map((command) => [command.id, command])).values()].toReversed()
}

export function headingOf({ group = 'page' }: Pick<Command, 'group'>): string {
  return HEADINGS[group] ?? group
}
