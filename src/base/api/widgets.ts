/** Feedback widgets on pages: the list, who may choose them, and how choices resolve in a deployment. */
import type { Deployment } from './features.ts'

export const WIDGETS = ['thumbs', 'code', 'suggestEdit', 'raiseIssue'] as const
/** One of: a vote below each page, a note on each code block, or one of two links to the repository. */
export type Widget = (typeof WIDGETS)[number]
export type WidgetSet = Record<Widget, boolean>

/** Chosen widgets; anything left out falls through to the next source. */
export interface WidgetChoice extends Partial<WidgetSet> {
  bundles?: boolean
}

export const WIDGET_SETTINGS = [...WIDGETS, 'bundles'] as const

/**
 * Defaults if neither the project nor docs.json sets a widget. Repository links are off, because only the owner can
 * tell whether the repository is public.
 */
const DEFAULTS: WidgetSet = { thumbs: true, code: true, suggestEdit: false, raiseIssue: false }
/** Widgets that collect data from readers and need a server to send it to. */
const COLLECTING_WIDGETS: ReadonlySet<Widget> = new Set(['thumbs', 'code'])

/**
 * Resolves the widgets of a site: the project takes precedence over docs.json, and docs.json over the
 * default. A bundle collects feedback only if the project enables it, because bundles may be read anywhere
 * and contact only servers that were named explicitly.
 */
export function resolveWidgets(
  deployment: Deployment,
  project: WidgetChoice,
  site: Partial<WidgetSet>,
): WidgetSet {
  const gathers = deployment === 'cloud' || project.bundles === true
  const isOn = (widget: Widget) =>
    (gathers || !COLLECTING_WIDGETS.has(widget)) && (project[widget] ?? site[widget] ?? DEFAULTS[widget])
  return Object.fromEntries(WIDGETS.map((widget) => [widget, isOn(widget)])) as WidgetSet
}

export function isCollecting(widgets: WidgetSet): boolean {
  return widgets.thumbs || widgets.code
}

/** Data that `_octavo/platform.js` provides to page scripts, as the global `__octavoPlatform`. */
export interface PlatformFacts {
  siteId: string
  /** URL that receives feedback; null leaves it in the reader's browser. */
  feedback: string | null
  /** URL that receives page views; null sends none. */
  analytics: string | null
  assistant: string | null
  /** URL of the playground proxy; null makes it call the API directly. */
  playground: string | null
  revision: string
}

export const ASSISTANT_TEXTS_GLOBAL = '__octavoAssistantWords'
