/** Labels of the lists: titles, column headings and empty states. */

import type { InsightAudience, InsightList } from '../../../../../src/base/api/form-choices.ts'
import { language, t } from '../../words/words.ts'

export interface ListLabels {
  title: string
  /** Headings of the name and count columns. */
  name: string
  amount: string
  none: string
}

export const LIST_LABELS: Record<InsightList, ListLabels> = {
  pages: { title: t('Most read pages'), name: t('Page'), amount: t('Views'), none: t('No page was viewed.') },
  visitors: {
    title: t('Pages by visitors'),
    name: t('Page'),
    amount: t('Visitors'),
    none: t('No visitors were counted.'),
  },
  rising: {
    title: t('Rising pages'),
    name: t('Page'),
    amount: t('Views'),
    none: t('No page was read more than before.'),
  },
  falling: {
    title: t('Falling pages'),
    name: t('Page'),
    amount: t('Views'),
    none: t('No page was read less than before.'),
  },
  referrers: {
    title: t('Where readers come from'),
    name: t('Site'),
    amount: t('Views'),
    none: t('Nobody came from another site.'),
  },
  devices: { title: t('Devices'), name: t('Device'), amount: t('Views'), none: t('Nobody has read a page.') },
  countries: {
    title: t('Countries'),
    name: t('Country'),
    amount: t('Views'),
    none: t('Nobody has read a page.'),
  },
  searches: {
    title: t('Searches'),
    name: t('Search terms', { context: 'searched' }),
    amount: t('Searches'),
    none: t('No searches yet.'),
  },
  unfound: {
    title: t('Searches without a result'),
    name: t('Search terms', { context: 'searched' }),
    amount: t('Searches'),
    none: t('Every search found something.'),
  },
  clicks: {
    title: t('Clicked results'),
    name: t('Search terms', { context: 'searched' }),
    amount: t('Times', { context: 'how often' }),
    none: t('No result was clicked.'),
  },
  agents: {
    title: t('AI agents'),
    name: t('Agent'),
    amount: t('Views'),
    none: t('No AI agent has read a page.'),
  },
  outbound: {
    title: t('Outbound links'),
    name: t('Site'),
    amount: t('Clicks'),
    none: t('No outbound link was clicked.'),
  },
  copies: { title: t('Copied code'), name: t('Page'), amount: t('Copies'), none: t('No code was copied.') },
}

export const AUDIENCE_LABELS: Record<InsightAudience, string> = {
  all: t('People and AI agents'),
  human: t('People'),
  ai: t('AI agents'),
  bot: t('Other programs'),
}

export const SHOW_AUDIENCE_LABELS: Record<InsightAudience, string> = {
  all: t('Show people and AI agents'),
  human: t('Show people'),
  ai: t('Show AI agents'),
  bot: t('Show other programs'),
}

const DEVICE_LABELS: Readonly<Record<string, string>> = {
  desktop: t('Desktop'),
  mobile: t('Phone'),
  tablet: t('Tablet'),
}

const COUNTRY_NAMES = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })

const NAMELESS_LABELS: { readonly [List in InsightList]?: string } = {
  referrers: t('Direct or unknown'),
  countries: t('Unknown'),
}

/** Lists of pages, whose rows show the title next to the path. */
export const PAGE_LISTS: readonly InsightList[] = ['pages', 'visitors', 'rising', 'falling', 'copies']

export function formatRowName(list: InsightList, name: string): string {
  if (name === '(other)') return t('All others')
  if (name === '') return NAMELESS_LABELS[list] ?? t('Unnamed')
  if (list === 'countries') return COUNTRY_NAMES.of(name) ?? name
  return list === 'devices' ? (DEVICE_LABELS[name] ?? name) : name
}

/** Returns whether a list exists for an audience; some only make sense for humans or for programs. */
export function isListShownFor(list: InsightList, audience: InsightAudience): boolean {
  if (list === 'referrers' || list === 'devices' || list === 'countries')
    return audience === 'all' || audience === 'human'
  return list === 'agents' ? audience === 'all' || audience === 'ai' : true
}
