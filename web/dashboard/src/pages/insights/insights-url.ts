/** State of the page in the URL: the period, the audience, and the open panel. */
import {
  INSIGHT_AUDIENCES,
  INSIGHT_LISTS,
  type InsightAudience,
  type InsightList,
  OVERVIEW_DAYS,
  type OverviewDays,
} from '../../../../../src/base/api/form-choices.ts'
import { type QueryParameters, stringifySearch } from '../../app/query-parameters.ts'

export const DEFAULT_INSIGHT_DAYS: OverviewDays = 30

export interface InsightPeriod {
  days: OverviewDays
  audience: InsightAudience
}

/** Open panel: a list, the rows for one name in a list, or a page. */
export type OpenPanel =
  | { kind: 'list'; list: InsightList }
  | { kind: 'name'; list: InsightList; name: string }
  | { kind: 'page'; path: string }

/** Reads the period from the URL. Invalid values are ignored, so that old links still work. */
export function parsePeriod({ days, audience }: QueryParameters): InsightPeriod {
  return {
    days: OVERVIEW_DAYS.find((known) => String(known) === days) ?? DEFAULT_INSIGHT_DAYS,
    audience: INSIGHT_AUDIENCES.find((known) => known === audience) ?? 'all',
  }
}

export function parseOpenPanel({ show, name, page }: QueryParameters): OpenPanel | null {
  if (page?.startsWith('/')) return { kind: 'page', path: page.slice(0, 2048) }
  const list = INSIGHT_LISTS.find((known) => known === show)
  if (list === undefined) return null
  return name === undefined
    ? { kind: 'list', list }
    : { kind: 'name', list, name: name === NO_NAME ? '' : name.slice(0, 2048) }
}

/** Represents the empty name in the URL, where empty parameters are omitted. */
const NO_NAME = '(none)'

export interface InsightLinks {
  /** URL of the page without a panel. */
  page: string
  shown(shown: OpenPanel): string
  /** URL of the feedback on a page in the same period. */
  feedback(path: string, vote?: 'down'): string
  /** URL of the form for a new agent job with a prefilled prompt. */
  agent(prompt: string): string
}

export function createInsightLinks(projectId: string, { days, audience }: InsightPeriod): InsightLinks {
  const base = `/p/${projectId}`
  const period = {
    days: days === DEFAULT_INSIGHT_DAYS ? undefined : days,
    audience: audience === 'all' ? undefined : audience,
  }
  const insights = (more: Record<string, string>) =>
    `${base}/insights${stringifySearch({ ...period, ...more })}`
  return {
    page: insights({}),
    shown(shown) {
      if (shown.kind === 'page') return insights({ page: shown.path })
      const { kind, list } = shown
      return insights(kind === 'list' ? { show: list } : { show: list, name: shown.name || NO_NAME })
    },
    feedback: (path, vote) =>
      `${base}/feedback${stringifySearch({ path, status: 'any', vote, since: days })}`,
    agent: (prompt) => `${base}/agent${stringifySearch({ prompt })}`,
  }
}
