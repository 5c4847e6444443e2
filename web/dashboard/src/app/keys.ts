/** Keyboard shortcuts: a single listener that runs commands and ignores keys typed into fields. */
import { type Command, listActiveCommands } from './commands.ts'

/** Maximum time between the keys of a sequence such as `g f`. */
const SEQUENCE_TIMEOUT_MS = 1200

export const IS_MAC = /mac|iphone|ipad/i.test(navigator.platform)

let first: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined

export function listenForKeys(): () => void {
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return
  const stroke = toStroke(event)
  // In a field, mod+z is left to the browser, which undoes typing.
  const isPlain = !stroke.startsWith('mod+') || stroke === 'mod+z'
  if (isPlain && isTyping(event)) return
  if (document.querySelector('dialog:modal') !== null) return
  const sequence = first === null ? null : `${first} ${stroke}`
  const commands = listActiveCommands()
  const found = (sequence && findCommand(commands, sequence)) || findCommand(commands, stroke)
  first = null
  clearTimeout(timer)
  if (found) {
    event.preventDefault()
    found.run()
  } else if (isPlain && commands.some(({ keys }) => keys?.startsWith(`${stroke} `))) {
    first = stroke
    timer = setTimeout(() => {
      first = null
    }, SEQUENCE_TIMEOUT_MS)
  }
}

function findCommand(commands: readonly Command[], stroke: string): Command | undefined {
  return commands.find(({ keys }) => keys !== undefined && keys.toLowerCase() === stroke)
}

/** Returns `mod+k`, `shift+j`, `?` or `escape`. Shift is only included for letters and named keys: `?` stays `?`. */
function toStroke(event: KeyboardEvent): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase()
  const isNamed = /^[a-z]$/.test(key) || key.length > 1
  const parts = [
    (IS_MAC ? event.metaKey : event.ctrlKey) && 'mod',
    event.altKey && 'alt',
    event.shiftKey && isNamed && 'shift',
    key,
  ]
  return parts.filter(Boolean).join('+')
}

/**
 * Returns whether a key is input for the focused element: text for a field, or letters that navigate a list. Escape
 * removes the focus from a field.
 */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[data-takes-keys]') !== null) return true
  const isField = target.isContentEditable || target.matches('input, textarea, select')
  if (!isField || target.matches('input[type="checkbox"], input[type="radio"], input[type="button"]'))
    return false
  if (event.key === 'Escape') {
    target.blur()
    return true
  }
  return true
}

function isModifier(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'Meta'
}

const KEY_NAMES: Record<string, string> = {
  mod: IS_MAC ? '⌘' : 'Ctrl',
  shift: IS_MAC ? '⇧' : 'Shift',
  alt: IS_MAC ? '⌥' : 'Alt',
  enter: IS_MAC ? '↵' : 'Enter',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  space: 'Space',
}

/** Returns the display form of keys: `[['g'], ['f']]` for `g f`, `[['⌘', 'K']]` for `mod+k`. */
export function formatKeys(keys: string): string[][] {
  return keys
    .split(' ')
    .map((stroke) =>
      stroke
        .split('+')
        .map((key) => KEY_NAMES[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : key)),
    )
}
