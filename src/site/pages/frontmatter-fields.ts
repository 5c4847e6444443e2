/** All supported frontmatter fields with their descriptions for the reference. Other fields have no effect. */
export const FRONTMATTER_FIELDS = {
  title: [
    'text',
    'Heading of the page, its label and its name in browsers; made of the file name when left out.',
  ],
  description: ['text', 'Below the title, for search engines and in `llms.txt`.'],
  sidebarTitle: ['text', 'Label in the navigation.'],
  icon: ['icon', 'In the navigation: a name of the icon library, a path or an address.'],
  iconType: ['text', 'Style of a Font Awesome `icon`, such as `solid`.'],
  tag: ['text', 'Label beside the entry in the navigation.'],
  deprecated: ['true or false', 'Marks the page as outdated, in the navigation and at its title.'],
  mode: ['choice', '`wide`, `center`, `frame` or `custom`: another layout than `default`.'],
  url: ['address', 'Its entry in the navigation leads there, and the page is not shown.'],
  hidden: ['true or false', 'True: out of the navigation, search, the sitemap and lists for machines.'],
  noindex: ['true or false', 'True: in the navigation, but out of search, the sitemap and search engines.'],
  searchable: ['true or false', 'False: not found by the search of the site.'],
  keywords: ['list of texts', 'Words that the page is found by, and that it does not show.'],
  boost: ['number', 'Factor for its rank in the search; 1 when left out.'],
  groups: [
    'list of texts',
    'Groups of readers that the page is for: see [Private sites](/guides/private-sites).',
  ],
  contextual: ['object', 'Menu beside the title, in place of that of `docs.json`; `options: []` shows none.'],
  rss: ['true or false', 'True: the button of the feed that is made of its `<Update>` entries.'],
  timestamp: [
    'true or false',
    'Shows when it was last changed, whatever `metadata.timestamp` of `docs.json` says.',
  ],
  lastUpdatedDate: [
    'date',
    'Last change: at the end of the page, in the sitemap, the feed and for search engines. The last commit that changed the file when left out, on sites that show dates.',
  ],
  createdDate: ['date', 'Creation, for search engines.'],
  hideFooterPagination: ['true or false', 'True: no links to the previous and the next page.'],
  related: [
    'list of links',
    'Related pages, at the end of the page: `/path`, an address, or `Title: link`. False: none.',
  ],
  hideApiMarker: ['true or false', 'True: no HTTP method beside the entry in the navigation.'],
  openapi: [
    'text',
    'Operation that the page shows: `[file] METHOD /path`; see [API reference](/content/api-reference).',
  ],
  'openapi-schema': ['text', 'Schema of an OpenAPI description that the page shows.'],
  asyncapi: ['text', 'Channel of an AsyncAPI description that the page shows.'],
  api: ['text', 'Call that the page describes by hand: `METHOD address`.'],
  authMethod: ['text', 'Way to sign in of such a call: `bearer`, `basic`, `key` or `none`.'],
  playground: ['choice', '`interactive`, `simple`, `none` or `auth`, in place of `api.playground.display`.'],
  sdk: ['text or object', 'Symbol of a library that stands below the text: `kind name`.'],
  canonical: ['address', 'Address that search engines take for that of the page.'],
  robots: ['text', 'Instruction to search engines, such as `noindex, nofollow`.'],
  'og:image': ['path or address', 'Picture beside links to the page.'],
} as const satisfies Readonly<Record<string, readonly [form: string, meaning: string]>>

export type FrontmatterField = keyof typeof FRONTMATTER_FIELDS
export type FrontmatterFields = Readonly<Partial<Record<FrontmatterField, unknown>>>
