/** All supported frontmatter fields with their descriptions for the reference. Other fields have no effect. */
export const FRONTMATTER_FIELDS = {
  title: [
    'text',
    'Title of the page, also used in the navigation and the browser tab. Default: from the file name.',
  ],
  description: ['text', 'Shown below the title, in search engines and in `llms.txt`.'],
  sidebarTitle: ['text', 'Label in the navigation.'],
  icon: ['icon', 'Icon in the navigation: a name from the icon library, a path or a URL.'],
  iconType: ['text', 'Style of a Font Awesome `icon`, such as `solid`.'],
  tag: ['text', 'Label next to the entry in the navigation.'],
  deprecated: ['true or false', 'Marks the page as deprecated, in the navigation and next to its title.'],
  mode: ['choice', '`wide`, `center`, `frame`, `custom` or `assistant`: a layout other than `default`.'],
  url: ['address', 'Links the navigation entry to this URL. The page itself is not shown.'],
  hidden: [
    'true or false',
    'True: excludes the page from the navigation, search, sitemap, `llms.txt` and feeds.',
  ],
  noindex: [
    'true or false',
    'True: excludes the page from search, the sitemap and search engines, but not from the navigation.',
  ],
  searchable: ['true or false', 'False: excludes the page from the search of the site.'],
  keywords: ['list of strings', 'Search terms for the page that are not shown.'],
  boost: ['number', 'Factor for the rank of the page in search. Default: 1.'],
  groups: [
    'list of strings',
    'Reader groups that can see the page: see [Private sites](/guides/private-sites).',
  ],
  contextual: [
    'object',
    'Menu next to the title, instead of the menu in `docs.json`. `options: []` hides it.',
  ],
  rss: ['true or false', 'True: shows a button for the feed of the `<Update>` entries on the page.'],
  timestamp: [
    'true or false',
    'Whether to show the date of the last change. Overrides `metadata.timestamp` in `docs.json`.',
  ],
  lastUpdatedDate: [
    'date',
    'Date of the last change, shown at the end of the page, in the sitemap, the feed and search engines. Default: the last commit that changed the file, on sites that show dates.',
  ],
  createdDate: ['date', 'Date of creation, for search engines.'],
  hideFooterPagination: ['true or false', 'True: hides the links to the previous and next page.'],
  related: [
    'list of links',
    'Related pages at the end of the page: `/path`, a URL, or `Title: link`. False: none.',
  ],
  hideApiMarker: ['true or false', 'True: hides the HTTP method next to the navigation entry.'],
  openapi: [
    'text',
    'Operation shown on the page: `[file] METHOD /path`. See [API reference](/content/api-reference).',
  ],
  'openapi-schema': ['text', 'Schema of an OpenAPI description shown on the page.'],
  asyncapi: ['text', 'Channel of an AsyncAPI description shown on the page.'],
  api: ['text', 'API call described by hand: `METHOD URL`.'],
  authMethod: ['text', 'Authentication of the call in `api`: `bearer`, `basic`, `key` or `none`.'],
  playground: ['choice', '`interactive`, `simple`, `none` or `auth`, instead of `api.playground.display`.'],
  sdk: ['string or object', 'Symbol of a library shown below the text: `kind name`.'],
  canonical: ['address', 'Canonical URL of the page for search engines.'],
  robots: ['text', 'Instruction for search engines, such as `noindex, nofollow`.'],
  'og:image': ['path or URL', 'Preview image for links to the page.'],
} as const satisfies Readonly<Record<string, readonly [form: string, meaning: string]>>

export type FrontmatterField = keyof typeof FRONTMATTER_FIELDS
export type FrontmatterFields = Readonly<Partial<Record<FrontmatterField, unknown>>>
