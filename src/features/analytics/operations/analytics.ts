/** Web analytics for API callers: views, visitors, searches and referrers; each by page, by day and as CSV. */
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
        'ISO 8601 or `YYYY-MM-DD`. Counts are of whole days in UTC: from the day of this moment on.',
      examples: ['2026-11-01'],
    }),
  ),
  dateTo: Type.Optional(
    Type.String({
      description:
        'ISO 8601 or `YYYY-MM-DD`. Up to the day of this moment; at 00:00 UTC that day is not part of the range.',
      examples: ['2026-12-01'],
    }),
  ),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Only of this page.',
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
      description: 'How many rows to pass over.',
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
        description: '`none`: only words that found nothing, those that did so most often first.',
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
      by: Type.Optional(Type.Enum([...ways], { default: ways[0], description: 'What a line is about.' })),
      ...CsvQuery,
    },
    { additionalProperties: false },
  )

const AUDIENCES = {
  human: count('Of people.'),
  ai: count('Of AI agents and assistants.'),
  bots: count('Of other programs, which are not in the total.'),
  total: count('Of people and AI agents.'),
}
const Totals = Type.Object(AUDIENCES, { additionalProperties: false })
export type AudienceCounts = Static<typeof Totals>

const VISITORS = {
  human: count('People, each counted once a day.'),
  ai: count('AI agents and assistants, each counted once a day.'),
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

const closed = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false })

export const PageViews = rowsSchema('PageViews', 'views', closed({ ...PATH, ...AUDIENCES }), Totals)
export const DayViews = rowsSchema('DayViews', 'views', closed({ ...DATE, ...AUDIENCES }), Totals)
export const PageVisitors = rowsSchema(
  'PageVisitors',
  'visitors',
  closed({ ...PATH, ...VISITORS }),
  VisitorTotals,
)
export const DayVisitors = rowsSchema(
  'DayVisitors',
  'visitors',
  closed({ ...DATE, ...VISITORS }),
  VisitorTotals,
)

const SEARCHES = {
  hits: count('How often it was searched for.'),
  withoutResults: count('How often of these nothing was found.'),
}
const SearchTotals = closed(SEARCHES)
export const Search = closed({
  searchQuery: Type.String({ description: 'In lower case. Text of readers: untrusted.' }),
  ...SEARCHES,
  ctr: Type.Number({ minimum: 0, description: 'Share of the searches of which a result was followed.' }),
  topClickedPage: Nullable(Type.String({ description: 'Path of the result that was followed most often.' })),
  lastSearchedAt: DateTime,
})
export type Search = Static<typeof Search>
export const Searches = Type.Object(
  {
    searches: Type.Array(Search),
    totalSearches: count('All of the range.'),
    nextCursor: Nullable(Type.String()),
  },
  isClosed('Searches'),
)
export type Searches = Static<typeof Searches>
export const PageSearches = rowsSchema(
  'PageSearches',
  'searches',
  closed({ ...PATH, ...SEARCHES }),
  SearchTotals,
)
export const DaySearches = rowsSchema(
  'DaySearches',
  'searches',
  closed({ ...DATE, ...SEARCHES }),
  SearchTotals,
)

const REFERRALS = { views: count('Views of people who came from there.') }
const ReferralTotals = closed(REFERRALS)
const REFERRER = {
  referrer: Nullable(Type.String({ description: 'Host name. Null: from the site itself, or nobody knows.' })),
}
export const Referrers = rowsSchema(
  'Referrers',
  'referrers',
  closed({ ...REFERRER, ...REFERRALS }),
  ReferralTotals,
)
export const PageReferrers = rowsSchema(
  'PageReferrers',
  'referrers',
  closed({ ...PATH, ...REFERRER, ...REFERRALS }),
  ReferralTotals,
)
export const DayReferrers = rowsSchema(
  'DayReferrers',
  'referrers',
  closed({ ...DATE, ...REFERRALS }),
  ReferralTotals,
)

const { path: _, ...DAYS } = RANGE
export const CountriesQuery = Type.Object({ ...DAYS, ...PART }, { additionalProperties: false })
const COUNTRY = {
  country: Nullable(
    Type.String({ description: 'ISO 3166-1, two letters. Null: nobody knows.', examples: ['DE'] }),
  ),
}
const COUNTRY_VIEWS = { views: count('Views of people.') }
const CountryTotals = closed(COUNTRY_VIEWS)
export const Countries = rowsSchema(
  'Countries',
  'countries',
  closed({ ...COUNTRY, ...COUNTRY_VIEWS }),
  CountryTotals,
)
export const DayCountries = rowsSchema(
  'DayCountries',
  'countries',
  closed({ ...DATE, ...COUNTRY_VIEWS }),
  CountryTotals,
)

const ANALYTICS = '/v1/analytics/{projectId}'

/** Properties shared by all reports about readers. */
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
  schema: Type.String({ description: 'A head line, then a line for each row.' }),
  headers: { 'Content-Disposition': 'A name for the file.' },
} as const

export const ANALYTICS_OPERATIONS = {
  getViews: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/views`,
    summary: 'Count views by page, the page with the most first',
    success: { status: 200, schema: PageViews },
  },
  getViewsByDay: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/views/by-day`,
    summary: 'Count views by day, the newest first; days without any are left out',
    success: { status: 200, schema: DayViews },
  },
  exportViews: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/views/export`,
    summary: 'Save all counts of views as CSV',
    query: exportQuery(['page', 'day']),
    success: CSV,
  },
  getVisitors: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/visitors`,
    summary:
      'Count visitors by page, the page with the most first; who comes again on another day counts again',
    success: { status: 200, schema: PageVisitors },
  },
  getVisitorsByDay: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/visitors/by-day`,
    summary: 'Count visitors by day, the newest first; days without any are left out',
    success: { status: 200, schema: DayVisitors },
  },
  exportVisitors: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/visitors/export`,
    summary: 'Save all counts of visitors as CSV',
    query: exportQuery(['page', 'day']),
    success: CSV,
  },
  getSearches: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/searches`,
    summary: 'List what readers search for, the most frequent first',
    query: SearchesQuery,
    success: { status: 200, schema: Searches },
  },
  getSearchesByPage: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/searches/by-page`,
    summary: 'Count searches by the page from which readers search',
    success: { status: 200, schema: PageSearches },
  },
  getSearchesByDay: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/searches/by-day`,
    summary: 'Count searches by day, the newest first; days without any are left out',
    success: { status: 200, schema: DaySearches },
  },
  exportSearches: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/searches/export`,
    summary: 'Save all counts of searches as CSV',
    query: exportQuery(['query', 'page', 'day']),
    success: CSV,
  },
  getReferrers: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/referrers`,
    summary: 'Count views by where readers come from, the most frequent first',
    success: { status: 200, schema: Referrers },
  },
  getReferrersByPage: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/referrers/by-page`,
    summary: 'Count views by page and by where readers come from',
    success: { status: 200, schema: PageReferrers },
  },
  getReferrersByDay: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/referrers/by-day`,
    summary: 'Count views of readers from elsewhere by day, the newest first; days without any are left out',
    success: { status: 200, schema: DayReferrers },
  },
  exportReferrers: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/referrers/export`,
    summary: 'Save all counts of referrers as CSV',
    query: exportQuery(['referrer', 'page', 'day']),
    success: CSV,
  },
  getCountries: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/countries`,
    summary:
      'Count views by country, the most frequent first; 404 where the operator has no database of countries',
    query: CountriesQuery,
    success: { status: 200, schema: Countries },
  },
  getCountriesByDay: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/countries/by-day`,
    summary: 'Count views of which the country was looked up by day, the newest first',
    query: CountriesQuery,
    success: { status: 200, schema: DayCountries },
  },
  exportCountries: {
    ...REPORT_ROW,
    path: `${ANALYTICS}/countries/export`,
    summary: 'Save all counts of countries as CSV',
    query: Type.Object(
      { ...DAYS, by: Type.Optional(Type.Enum(['country', 'day'], { default: 'country' })), ...CsvQuery },
      { additionalProperties: false },
    ),
    success: CSV,
  },
} as const satisfies Record<string, Operation>
