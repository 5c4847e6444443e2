/** The feedback widgets of pages: which there are, who chooses them, and what a choice comes to in a deployment. */
import type { Deployment } from './features.ts'

export const WIDGETS = ['thumbs', 'code', 'suggestEdit', 'raiseIssue'] as const
/** A vote below each page, a note on each code block, and two links to the repository. */
export type Widget = (typeof WIDGETS)[number]
export type WidgetSet = Record<Widget, boolean>

/** What was chosen; what is left out is for the next in line to say. */
export interface WidgetChoice extends Partial<WidgetSet> {
  /** Whether bundles gather feedback too. */
  bundles?: boolean
}

export const WIDGET_SETTINGS = [...WIDGETS, 'bundles'] as const

/** When neither the project nor docs.json says. The links wait to be asked for: only its owner knows a repository is public. */
const DEFAULTS: WidgetSet = { thumbs: true, code: true, suggestEdit: false, raiseIssue: false }
/** These two take something from the reader, and need somewhere to bring it. */
const GATHERING: ReadonlySet<Widget> = new Set(['thumbs', 'code'])

/**
 * The project goes before docs.json, docs.json before the default. A bundle gathers feedback only when the project says
 * so: its readers may be anywhere, and nothing of a bundle speaks to a server that nobody named.
 */
export function resolveWidgets(
  deployment: Deployment,
  project: WidgetChoice,
  site: Partial<WidgetSet>,
): WidgetSet {
  const gathers = deployment === 'cloud' || project.bundles === true
  const isOn = (widget: Widget) =>
    (gathers || !GATHERING.has(widget)) && (project[widget] ?? site[widget] ?? DEFAULTS[widget])
  return Object.fromEntries(WIDGETS.map((widget) => [widget, isOn(widget)])) as WidgetSet
}

export function isGathering(widgets: WidgetSet): boolean {
  return widgets.thumbs || widgets.code
}

/** What `_octavo/platform.js` tells the scripts of pages, as the global `__octavoPlatform`. */
export interface PlatformFacts {
  siteId: string
  /** Where feedback goes; null: nowhere, it stays in the reader's browser. */
  feedback: string | null
  /** Where pages tell how they are read; null: nowhere. */
  analytics: string | null
  /** Where readers ask; null: nobody answers. */
  assistant: string | null
  /** Where calls of the playground may go through; null: straight to the API alone. */
  playground: string | null
  /** The revision of the site. */
  revision: string
}

/** Where the words of the page's language stand for the script of the assistant. */
export const ASSISTANT_WORDS_GLOBAL = '__octavoAssistantWords'
