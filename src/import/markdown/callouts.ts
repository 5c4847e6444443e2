/** Names of callouts in other dialects, as the components that look like them. */

const COMPONENTS: Readonly<Record<string, string>> = {
  note: 'Note',
  secondary: 'Note',
  quote: 'Note',
  cite: 'Note',
  seealso: 'Note',
  info: 'Info',
  todo: 'Info',
  abstract: 'Info',
  summary: 'Info',
  tldr: 'Info',
  question: 'Info',
  help: 'Info',
  faq: 'Info',
  example: 'Info',
  important: 'Info',
  tip: 'Tip',
  hint: 'Tip',
  success: 'Check',
  check: 'Check',
  done: 'Check',
  warning: 'Warning',
  caution: 'Warning',
  attention: 'Warning',
  danger: 'Danger',
  error: 'Danger',
  failure: 'Danger',
  fail: 'Danger',
  missing: 'Danger',
  bug: 'Danger',
}

/** A name that no dialect has is kept as a title: see `titleOf`. */
export function calloutComponent(name: string): string {
  return COMPONENTS[name.toLowerCase()] ?? 'Note'
}

/** The title that a callout without one had: its name, where the component says another word. */
export function calloutTitle(name: string): string | null {
  const isSame = calloutComponent(name).toLowerCase() === name.toLowerCase()
  return isSame || name === '' ? null : `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`
}
