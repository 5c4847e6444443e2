/** Keys that run commands. One listener for the page; what is typed into fields is left alone. */
import { type Command, commandsNow } from './commands.ts'

/** How long `g` waits for what follows it. */
const SEQUENCE_MS = 1200

export const IS_MAC = /mac|iphone|ipad/i.test(navigator.platform)

let first: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined

export function listenForKeys(): () => void {
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return
  const stroke = strokeOf(event)
  // In a field it takes back what was typed.
  const isPlain = !stroke.startsWith('mod+') || stroke === 'mod+z'
  if (isPlain && isTyping(event)) return
  if (document.querySelector('dialog:modal') !== null) return
  const sequence = first === null ? null : `${first} ${stroke}`
  const commands = commandsNow()
  const found = (sequence && commandFor(commands, sequence)) || commandFor(commands, stroke)
  first = null
  clearTimeout(timer)
  if (found) {
    event.preventDefault()
    found.run()
  } else if (isPlain && commands.some(({ keys }) => keys?.startsWith(`${stroke} `))) {
    first = stroke
    timer = setTimeout(() => {
      first = null
    }, SEQUENCE_MS)
  }
}

function commandFor(commands: readonly Command[], stroke: string): Command | undefined {
  return commands.find(({ keys }) => keys !== undefined && keys.toLowerCase() === stroke)
}

/** `mod+k`, `shift+j`, `?`, `escape`. Shift is named only with letters and named keys: `?` is itself. */
function strokeOf(event: KeyboardEvent): string {
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

/** Escape is also for leaving a field; other keys are for what is typed. A list takes letters to move about in it. */
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

const NAMES: Record<string, string> = {
  mod: IS_MAC ? '⌘' : 'Ctrl',
  shift: IS_MAC ? '⇧' : 'Shift',
  alt: IS_MAC ? '⌥' : 'Alt',
  enter: IS_MAC ? '↵' : 'Enter',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  space: 'Space',
}

/** For people: `[['g'], ['f']]` for `g f`, `[['⌘', 'K']]` for `mod+k`. */
export function namesOfKeys(keys: string): string[][] {
  return keys
    .split(' ')
    .map((stroke) =>
      stroke
        .split('+')
        .map((key) => NAMES[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : key)),
    )
}
