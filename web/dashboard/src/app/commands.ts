/**
 * Commands that are currently available: pages register them while mounted, the palette lists them, and their
 * shortcuts run them and appear in the shortcut sheet. If two commands use the same keys, the latest registration
 * wins.
 */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { IconName } from '../ui/icon-names.ts'
import { t } from '../words/words.ts'
import { createStore, useStore } from './store.ts'

const GROUP_HEADINGS: Readonly<Record<string, string>> = {
  page: t('This page'),
  feedback: t('Feedback'),
  overview: t('Overview'),
  insights: t('Insights'),
  assistant: t('Assistant'),
  lists: t('Lists'),
  create: t('Create', { context: 'heading' }),
  settings: t('Settings'),
  go: t('Go to', { context: 'heading' }),
  projects: t('Projects'),
  general: t('General'),
  developers: t('For developers'),
  pages: t('Pages'),
  agent: t('Agent jobs'),
  exports: t('Exports'),
}

export interface Command {
  /** Stable between renders. */
  id: string
  label: string
  detail?: string
  /** Key of a heading. Default: `page`. */
  group?: string
  icon?: IconName
  /** `s`, `shift+j`, `mod+enter` (Ctrl, or Cmd on a Mac), `Escape`, or a sequence: `g f`. */
  keys?: string
  words?: string
  run: () => void
  isKeysOnly?: boolean
  isOff?: boolean
}

const registeredCommands = createStore<readonly (readonly Command[])[]>([])

/**
 * Registers commands while the component is mounted. `run` may be a new closure on each render; the latest
 * closure is called. Commands of the app shell (`isBase`) have lower priority than page commands with the
 * same keys.
 */
export function useCommands(
  commands: readonly Command[],
  { isBase = false }: { isBase?: boolean } = {},
): void {
  const latestCommands = useRef(commands)
  latestCommands.current = commands
  // Serialized for comparison, without the `run` functions, which are looked up when a command runs.
  const shape = JSON.stringify(commands.map(({ run: _, ...rest }) => rest))
  const stable = useMemo(
    () =>
      (JSON.parse(shape) as Omit<Command, 'run'>[]).map((command) => ({
        ...command,
        run: () => latestCommands.current.find(({ id }) => id === command.id)?.run(),
      })),
    [shape],
  )
  useLayoutEffect(() => {
    registeredCommands.set(
      isBase ? [stable, ...registeredCommands.get()] : [...registeredCommands.get(), stable],
    )
    return () => registeredCommands.set(registeredCommands.get().filter((list) => list !== stable))
  }, [stable, isBase])
}

/** Returns all available commands, page commands first. */
export function useAllCommands(): readonly Command[] {
  const lists = useStore(registeredCommands)
  return useMemo(() => removeDuplicates([...lists].reverse().flat()), [lists])
}

export function listActiveCommands(): readonly Command[] {
  return removeDuplicates([...registeredCommands.get()].reverse().flat()).filter(({ isOff }) => !isOff)
}

function removeDuplicates(commands: readonly Command[]): Command[] {
  return [...new Map(commands.toReversed().map((command) => [command.id, command])).values()].toReversed()
}

export function resolveHeading({ group = 'page' }: Pick<Command, 'group'>): string {
  return GROUP_HEADINGS[group] ?? group
}
