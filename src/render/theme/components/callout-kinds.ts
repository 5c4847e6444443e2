/** The kinds of callouts: their icon (Lucide) and the word that names them to screen readers. */
export const CALLOUTS = {
  note: { icon: 'info', label: 'Note' },
  info: { icon: 'info', label: 'Info' },
  tip: { icon: 'lightbulb', label: 'Tip' },
  check: { icon: 'circle-check', label: 'Check' },
  warning: { icon: 'triangle-alert', label: 'Warning' },
  danger: { icon: 'octagon-alert', label: 'Danger' },
} as const

export type CalloutKind = keyof typeof CALLOUTS

export function isCalloutKind(value: unknown): value is CalloutKind {
  return typeof value === 'string' && Object.hasOwn(CALLOUTS, value)
}
