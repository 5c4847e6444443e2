/** Words of the lists: what they are, what they count, and what to say where there is nothing. */

import type { InsightAudience, InsightList } from '../../../../../src/contract/form-choices.ts'
import { language, t } from '../../words/words.ts'

export interface ListWords {
  title: string
  /** Above the column of names, and of figures. */
  name: string
  amount: string
  /** Nothing of it in the period. */
  none: string
}

export const LIST_WORDS: Record<InsightList, ListWords> = {
  pages: { title: t('Most read pages'), name: 'Page', amount: 'Views', none: 'No page was viewed.' },
  visitors: {
    title: t('Pages by visitors'),
    name: 'Page',
    amount: 'Visitors',
    none: 'No visitors were counted.',
  },
  rising: {
    title: t('Rising pages'),
    name: 'Page',
    amount: 'Views',
    none: 'No page was read more than before.',
  },
  falling: {
    title: t('Falling pages'),
    name: 'Page',
    amount: 'Views',
    none: 'No page was read less than before.',
  },
  referrers: {
    title: t('Where readers come from'),
    name: 'Site',
    amount: 'Views',
    none: 'Nobody came from another site.',
  },
  devices: { title: t('Devices'), name: 'Device', amount: 'Views', none: 'Nobody has read a page.' },
  countries: { title: t('Countries'), name: 'Country', amount: 'Views', none: 'Nobody has read a page.' },
  searches: { title: t('Searches'), name: 'Words', amount: 'Searches', none: 'Nobody has searched.' },
  unfound: {
    title: t('Searches without a result'),
    name: 'Words',
    amount: 'Searches',
    none: 'Every search found something.',
  },
  clicks: {
    title: t('Clicked results'),
    name: 'Words',
    amount: 'Times',
    none: 'No result was clicked.',
  },
  agents: { title: t('AI agents'), name: 'Agent', amount: 'Views', none: 'No AI agent has read a page.' },
  outbound: {
    title: t('Outbound links'),
    name: 'Site',
    amount: 'Clicks',
    none: 'No outbound link was clicked.',
  },
  copies: { title: t('Copied code'), name: 'Page', amount: 'Copies', none: 'No code was copied.' },
}

export const AUDIENCE_WORDS: Record<InsightAudience, string> = {
  all: 'People and AI agents',
  human: 'People',
  ai: 'AI agents',
  bot: 'Other programs',
}

const DEVICES: Readonly<Record<string, string>> = { desktop: 'Desktop', mobile: 'Phone', tablet: 'Tablet' }

const COUNTRIES = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })

const NAMELESS: { readonly [List in InsightList]?: string } = {
  referrers: 'Direct or unknown',
  countries: 'Unknown',
}

/** Of pages the title stands beside the path. */
export const LISTS_OF_PAGES: readonly InsightList[] = ['pages', 'visitors', 'rising', 'falling', 'copies']

export function nameWords(list: InsightList, name: string): string {
  if (name === '(other)') return 'All others'
  if (name === '') return NAMELESS[list] ?? 'Unnamed'
  if (list === 'countries') return COUNTRIES.of(name) ?? name
  return list === 'devices' ? (DEVICES[name] ?? name) : name
}

/** What people and programs do not have in common is shown of people alone. */
export function isListOf(list: InsightList, audience: InsightAudience): boolean {
  if (list === 'referrers' || list === 'devices' || list === 'countries')
    return audience === 'all' || audience === 'human'
  return list === 'agents' ? audience === 'all' || audience === 'ai' : true
}
