/** Web analytics for API callers: views, visitors, searches and referrers, by page, by day and as CSV. */
import { type Static, type TSchema, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { CsvQuery, DateTime, Nullable } from '../../../base/api/schema.ts'

export const AnalyticsParams = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })

const isClosed = (title: string) => ({ additionalProperties: false, title })
const count = (description: string) => Type.Integer({ minimum: 0, description })

const RANGE = {
  dateFrom: Type.Optional(
    Type.String({
      description:
        'ISO 8601 or `YYYY-MM-DD`. Counts cover whole days in UTC, starting with the day of this time.',
      examples: ['2026-11-01'],
    }),
  ),
  dateTo: Type.Optional(
    Type.String({
      description:
        'ISO 8601 or `YYYY-MM-DD` (00:00 UTC). Counts include the day of this time, unless the time is exactly 00:00 UTC.',
      examples: ['2026-12-01'],
    }),
  ),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Only this page.',
      examples: ['/guides/deploy'],
    }),
  ),
}

const PART = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 250,
      default: 50,
      description: 'How many rows to return.',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description: 'How many rows to skip.',
    }),
  ),
}

export const AnalyticsQuery = Type.Object({ ...RANGE, ...PART }, { additionalProperties: false })
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

export const SearchesQuery = Type.Object(
  {
    ...RANGE,
    limit: Type.Optional({ ...PART.limit, maximum: 100 }),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: "The previous response's `nextCursor`." }),
    ),
    results: Type.Optional(
      Type.Enum(['any', 'none'], {
        default: 'any',
        description: '`none`: only searches without results, most frequent first.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SearchesQuery = Static<typeof SearchesQuery>

const exportQuery = <Word extends string>(ways: readonly [Word, ...Word[]]) =>
  Type.Object(
    {
      ...RANGE,
      by: Type.Optional(Type.Enum([...ways], { default: ways[0], description: 'How lines are grouped.' })),
      ...CsvQuery,
    },
    { additionalProperties: false },
  )

const AUDIENCES = {
  human: count('Views by people.'),
  ai: count('Views by AI agents and assistants.'),
  bots: count('Views by other programs; not included in the total.'),
  total: count('Views by people and AI agents.'),
}
const Totals = Type.Object(AUDIENCES, { additionalProperties: false })
export type AudienceCounts = Static<typeof Totals>

const VISITORS = {
  human: count('People, each counted once per day.'),
  ai: count('AI agents and assistants, each counted once per day.'),
  total: count('Both.'),
}
const VisitorTotals = Type.Object(VISITORS, { additionalProperties: false })

const PATH = { path: Type.String({ description: 'Path of the page.' }) }
const DATE = { date: Type.String({ description: 'Day in UTC.', examples: ['2026-11-21'] }) }
const HAS_MORE = { hasMore: Type.Boolean() }

function rowsSchema<Name extends string, Row extends TSchema, Sum extends TSchema>(
  title: string,
  name: Name,
  row: Row,
  totals: Sum,
) {
  return Type.Object(
    { totals, [name]: Type.Array(row), ...HAS_MORE } as { totals: Sum; hasMore: typeof HAS_MORE.hasMore } & {
      [Key in Name]: ReturnType<typeof Type.Array<Row>>
    },
    isClosed(title),
  )
}

const closedObject = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false })

export const PageViews = rowsSchema('PageViews', 'views', closedObject({ ...PATH, ...AUDIENCES }), Totals)
export const DayViews = rowsSchema('DayViews', 'views', closedObject({ ...DATE, ...AUDIENCES }), Totals)
export const PageVisitors = rowsSchema(
  'PageVisitors',
  'visitors',
  closedObject({ ...PATH, ...VISITORS }),
  VisitorTotals,
)
export const DayVisitors = rowsSchema(
  'DayVisitors',
  'visitors',
  closedObject({ ...DATE, ...VISITORS }),
  VisitorTotals,
)

const SEARCHES = {
  hits: count('Number of searches.'),
  withoutResults: count('Number of these searches without results.'),
}
const SearchTotals = closedObject(SEARCHES)
export const Search = closedObject({
  searchQuery: Type.String({ description: 'Search query in lower case. Text from readers: untrusted.' }),
  ...SEARCHES,
  ctr: Type.Number({ minimum: 0, description: 'Share of searches in which a result was opened.' }),
  topClickedPage: Nullable(Type.String({ description: 'Path of the result opened most often.' })),
  lastSearchedAt: DateTime,
})
export type Search = Static<typeof Search>
export const Searches = Type.Object(
  {
    searches: Type.Array(Search),
    totalSearches: count('Total for the range.'),
    nextCursor: Nullable(Type.String()),
  },
  isClosed('Searches'),
)
export type Searches = Static<typeof Searches>
export const PageSearches = rowsSchema(
  'PageSearches',
  'searches',
  closedObject({ ...PATH, ...SEARCHES }),
  SearchTotals,
)
export const DaySearches = rowsSchema(
  'DaySearches',
  'searches',
  closedObject({ ...DATE, ...SEARCHES }),
  SearchTotals,
)

const REFERRALS = { views: count('Views by people from this referrer.') }
const ReferralTotals = closedObject(REFERRALS)
const REFERRER = {
  referrer: Nullable(
    Type.String({ description: 'Host name of the referrer. Null: the site itself, or unknown.' }),
  ),
}
export const Referrers = rowsSchema(
  'Referrers',
  'referrers',
  closedObject({ ...REFERRER, ...REFERRALS }),
  ReferralTotals,
)
export const PageReferrers = rowsSchema(
  'PageReferrers',
  'referrers',
  closedObject({ ...PATH, ...REFERRER, ...REFERRALS }),
  ReferralTotals,
)
export const DayReferrers = rowsSchema(
  'DayReferrers',
  'referrers',
  closedObject({ ...DATE, ...REFERRALS }),
  ReferralTotals,
)

const { path: _, ...DAYS } = RANGE
export const CountriesQuery = Type.Object({ ...DAYS, ...PART }, { additionalProperties: false })
const COUNTRY = {
  country: Nullable(
    Type.String({ description: 'ISO 3166-1 alpha-2 code. Null: unknown.', examples: ['DE'] }),
  ),
}
const COUNTRY_VIEWS = { views: count('Views by people.') }
const CountryTotals = closedObject(COUNTRY_VIEWS)
export const Countries = rowsSchema(
  'Countries',
  'countries',
  closedObject({ ...COUNTRY, ...COUNTRY_VIEWS }),
  CountryTotals,
)
export const DayCountries = rowsSchema(
  'DayCountries',
  'countries',
  closedObject({ ...DATE, ...COUNTRY_VIEWS }),
  CountryTotals,
)

const ANALYTICS = '/v1/analytics/{projectId}'

export const REPORT_ROW = {
  ...PUBLIC_ROW,
  area: 'analytics',
  method: 'GET',
  limit: { name: 'analytics', counts: 'request' },
  params: AnalyticsParams,
  query: AnalyticsQuery,
} as const

const CSV = {
  status: 200,
  contentTypes: ['text/csv'],
  schema: Type.String({ description: 'A header line, then one line per row.' }),
  headers: { 'Content-Disposition': 'File name for the download.' },
} as const

export const ANALYTICS_OPERATIONS = {
  getViews: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/views`,
    summary: 'Count views by page, most viewed first',
    success: { status: 200, schema: PageViews },
  },
  getViewsByDay: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/views/by-day`,
    summary: 'Count views by day, newest first; days without views are omitted',
    success: { status: 200, schema: DayViews },
  },
  exportViews: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/views/export`,
    summary: 'Export views as CSV',
    query: exportQuery(['page', 'day']),
    success: CSV,
  },
  getVisitors: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/visitors`,
    summary: 'Count visitors by page, most visited first. Visitors are counted once per day',
    success: { status: 200, schema: PageVisitors },
  },
  getVisitorsByDay: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/visitors/by-day`,
    summary: 'Count visitors by day, newest first; days without visitors are omitted',
    success: { status: 200, schema: DayVisitors },
  },
  exportVisitors: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/visitors/export`,
    summary: 'Export visitors as CSV',
    query: exportQuery(['page', 'day']),
    success: CSV,
  },
  getSearches: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/searches`,
    summary: 'List search terms, most frequent first',
    query: SearchesQuery,
    success: { status: 200, schema: Searches },
  },
  getSearchesByPage: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/searches/by-page`,
    summary: 'Count searches by page',
    success: { status: 200, schema: PageSearches },
  },
  getSearchesByDay: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/searches/by-day`,
    summary: 'Count searches by day, newest first; days without searches are omitted',
    success: { status: 200, schema: DaySearches },
  },
  exportSearches: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/searches/export`,
    summary: 'Export searches as CSV',
    query: exportQuery(['query', 'page', 'day']),
    success: CSV,
  },
  getReferrers: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/referrers`,
    summary: 'Count views by referrer, most frequent first',
    success: { status: 200, schema: Referrers },
  },
  getReferrersByPage: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/referrers/by-page`,
    summary: 'Count views by page and referrer',
    success: { status: 200, schema: PageReferrers },
  },
  getReferrersByDay: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/referrers/by-day`,
    summary: 'Count views with a referrer by day, newest first; days without views are omitted',
    success: { status: 200, schema: DayReferrers },
  },
  exportReferrers: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/referrers/export`,
    summary: 'Export referrers as CSV',
    query: exportQuery(['referrer', 'page', 'day']),
    success: CSV,
  },
  getCountries: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/countries`,
    summary:
      'Count views by country, most frequent first. Returns 404 if the operator has no country database',
    query: CountriesQuery,
    success: { status: 200, schema: Countries },
  },
  getCountriesByDay: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/countries/by-day`,
    summary: 'Count views with a country by day, newest first',
    query: CountriesQuery,
    success: { status: 200, schema: DayCountries },
  },
  exportCountries: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/countries/export`,
    summary: 'Export countries as CSV',
    query: Type.Object(
      { ...DAYS, by: Type.Optional(Type.Enum(['country', 'day'], { default: 'country' })), ...CsvQuery },
      { additionalProperties: false },
    ),
    success: CSV,
  },
} as const satisfies Record<string, Operation>
