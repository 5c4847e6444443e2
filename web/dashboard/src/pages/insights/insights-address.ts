/** What the page shows, as it stands in its address: the period, who reads, and the rows that are open beside it. */
import {
  INSIGHT_AUDIENCES,
  INSIGHT_LISTS,
  type InsightAudience,
  type InsightList,
  OVERVIEW_DAYS,
  type OverviewDays,
} from '../../../../../src/base/api/form-choices.ts'
import { type QueryParameters, stringifySearch } from '../../app/address.ts'

export const USUAL_DAYS: OverviewDays = 30

export interface InsightPeriod {
  days: OverviewDays
  audience: InsightAudience
}

/** What is open beside the page: a list, the rows of one of its names, or all of one page. */
export type Shown =
  | { kind: 'list'; list: InsightList }
  | { kind: 'name'; list: InsightList; name: string }
  | { kind: 'page'; path: string }

/** What nobody would have written counts as left out: an old link still opens. */
export function readPeriod({ days, audience }: QueryParameters): InsightPeriod {
  return {
    days: OVERVIEW_DAYS.find((known) => String(known) === days) ?? USUAL_DAYS,
    audience: INSIGHT_AUDIENCES.find((known) => known === audience) ?? 'all',
  }
}

export function readShown({ show, name, page }: QueryParameters): Shown | null {
  if (page?.startsWith('/')) return { kind: 'page', path: page.slice(0, 2048) }
  const list = INSIGHT_LISTS.find((known) => known === show)
  if (list === undefined) return null
  return name === undefined
    ? { kind: 'list', list }
    : { kind: 'name', list, name: name === NOWHERE ? '' : name.slice(0, 2048) }
}

/** In addresses, for what has no name: parameters without a value are left out. */
const NOWHERE = '(none)'

export interface InsightLinks {
  /** Without anything beside. */
  page: string
  shown(shown: Shown): string
  /** The entries of this page, of the same period. */
  feedback(path: string, vote?: 'down'): string
  /** A new job of the agent with these words in its field. */
  agent(prompt: string): string
}

export function linksOf(projectId: string, { days, audience }: InsightPeriod): InsightLinks {
  const base = `/p/${projectId}`
  const period = {
    days: days === USUAL_DAYS ? undefined : days,
    audience: audience === 'all' ? undefined : audience,
  }
  const insights = (more: Record<string, string>) =>
    `${base}/insights${stringifySearch({ ...period, ...more })}`
  return {
    page: insights({}),
    shown(shown) {
      if (shown.kind === 'page') return insights({ page: shown.path })
      const { kind, list } = shown
      return insights(kind === 'list' ? { show: list } : { show: list, name: shown.name || NOWHERE })
    },
    feedback: (path, vote) =>
      `${base}/feedback${stringifySearch({ path, status: 'any', vote, since: days })}`,
    agent: (prompt) => `${base}/agent${stringifySearch({ prompt })}`,
  }
}
