/** Maps the callout names of other dialects to components. */

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

/**
 * Returns the component for a callout name. An unknown name gets the default component and becomes the title, see
 * `calloutTitle`.
 */
export function calloutComponent(name: string): string {
  return COMPONENTS[name.toLowerCase()] ?? 'Note'
}

/** Returns the callout name for use as a title, or null if the component has the same name. */
export function calloutTitle(name: string): string | null {
  const isSame = calloutComponent(name).toLowerCase() === name.toLowerCase()
  return isSame || name === '' ? null : `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`
}
