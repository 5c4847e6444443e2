import type { ComponentTextKey } from '../words/component-texts.ts'

/** Lucide icon and label for screen readers, by kind of callout. */
export const CALLOUTS = {
  note: { icon: 'info', label: 'calloutNote' },
  info: { icon: 'info', label: 'calloutInfo' },
  tip: { icon: 'lightbulb', label: 'calloutTip' },
  check: { icon: 'circle-check', label: 'calloutCheck' },
  warning: { icon: 'triangle-alert', label: 'calloutWarning' },
  danger: { icon: 'octagon-alert', label: 'calloutDanger' },
} as const satisfies Record<string, { icon: string; label: ComponentTextKey }>

export type CalloutKind = keyof typeof CALLOUTS

export function isCalloutKind(value: unknown): value is CalloutKind {
  return typeof value === 'string' && Object.hasOwn(CALLOUTS, value)
}
