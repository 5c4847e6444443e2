/** Schema of `navigation`: divisions, groups and pages, nested in any order. */

import { OTHER_SDK_FORMATS, SDK_FORMATS } from '../reference/reference-document.ts'
import { banner, colorPair, footer, icon, navbar } from './chrome-schema.ts'
import {
  amount,
  choice,
  fields,
  flag,
  former,
  list,
  oneOf,
  type SettingSchema,
  shared,
  text,
} from './schema-parts.ts'

/** References a definition, because parts of the tree are recursive. */
const ofTree = (name: string) => shared(name, () => NAVIGATION_DEFINITIONS[name] as SettingSchema)

const appearance = {
  icon: shared('icon', () => icon),
  iconType: text('Style of the icon: solid, regular, brands …'),
  color: shared('colorPair', () => colorPair),
}

const visibility = {
  hidden: flag('Left out of the navigation; its pages keep their addresses.', false),
  searchable: flag('Lets the pages of something hidden stay in search and sitemap.', false),
  public: flag('Kept for sites with readers who sign in.'),
}

const listing = choice(
  'How a page that is the root of a group lists the pages of the group.',
  ['none', 'accordion', 'card'],
  'none',
)

const spec = (kind: string): SettingSchema =>
  oneOf(
    `Descriptions in ${kind} whose operations are pages here.`,
    text('Path or address of one description.'),
    { type: 'array', items: oneOf('One of several.', text('Path or address.'), ofTree('specSource')) },
    ofTree('specSource'),
    flag('False: no description here.'),
  )

const graphql = oneOf(
  'A GraphQL schema whose queries, mutations and types are pages here.',
  text('Path or https address of the schema.'),
  fields('The schema and where its pages lie.', {
    source: text('Path or https address.'),
    directory: text('Folder of the pages in addresses.', { default: 'graphql-reference' }),
  }),
)

const sdk = fields('What a documentation tool wrote of a library, whose symbols are pages here.', {
  format: choice('The tool; pages are made of the JSON of TypeDoc.', [...SDK_FORMATS, ...OTHER_SDK_FORMATS]),
  source: text('Path or https address.'),
  directory: text('Folder of the pages in addresses.', { default: 'sdk-reference' }),
})

const content = {
  pages: ofTree('pages'),
  groups: list('Labelled sections of the sidebar.', ofTree('group')),
  openapi: spec('OpenAPI'),
  asyncapi: spec('AsyncAPI'),
}

const divisions = {
  tabs: list('A row below the top bar.', ofTree('tab')),
  anchors: list('Links at the top of the sidebar.', ofTree('anchor')),
  dropdowns: list('A list at the top of the sidebar.', ofTree('dropdown')),
  products: list('A switch between products in the top bar.', ofTree('product')),
  versions: list('A switch between versions in the top bar.', ofTree('version')),
  languages: list('A switch between languages in the top bar.', ofTree('language')),
  menu: list('A menu that opens from a tab or a product.', ofTree('menuItem')),
}

const global = fields('What shows on every page: entries with an address and no pages.', divisions)

/** An entry of a division. */
function entry(name: string, about: string, more: Record<string, SettingSchema> = {}): SettingSchema {
  return fields(about, {
    [name]: text('Name that readers see.'),
    href: text('Makes the entry a link.'),
    url: former('href'),
    ...appearance,
    ...visibility,
    tag: text('A label behind the name.'),
    description: text('A line below the name, where there is room.'),
    directory: listing,
    boost: amount('Weight of its pages in search.', 1),
    ...content,
    ...divisions,
    global,
    graphql,
    sdk,
    ...more,
  })
}

const group = fields('A labelled section of the sidebar.', {
  group: text('Name that readers see.'),
  root: text('Page that the name leads to.'),
  ...appearance,
  ...visibility,
  tag: text('A label behind the name.'),
  expanded: flag('Open from the start, for groups inside of groups.', false),
  collapsed: former('expanded, the other way round'),
  version: text('Version that a group of the older form belongs to.', { deprecated: true }),
  directory: listing,
  boost: amount('Weight of its pages in search.', 1),
  ...content,
  sdk,
})

const isDefault = flag('Shown to readers who have not chosen; else the first entry is.', false)

export const NAVIGATION_DEFINITIONS: Record<string, SettingSchema> = {
  pages: list(
    'Pages in order: paths of files without extension, operations such as "GET /users", groups.',
    ofTree('pageEntry'),
  ),
  pageEntry: oneOf('One entry.', text('Path of a page, or an operation.'), ofTree('group'), {
    type: 'array',
    items: ofTree('pageEntry'),
  }),
  group: {
    ...group,
    properties: {
      ...group.properties,
      // The name of a link between pages depends on its kind.
      ...Object.fromEntries(
        ['anchor', 'label', 'title', 'name', 'tab', 'dropdown', 'item', 'product'].map((name) => [
          name,
          text('Name of a link among the pages.'),
        ]),
      ),
      href: text('Makes the entry a link.'),
      url: former('href'),
      page: former('the page as a text'),
      path: former('the page as a text'),
    },
  },
  tab: entry('tab', 'An entry of the row below the top bar.', {
    align: choice('End of the row at which it stands.', ['start', 'end'], 'start'),
  }),
  anchor: entry('anchor', 'A link at the top of the sidebar, with pages of its own or an address.'),
  dropdown: entry('dropdown', 'An entry of the list at the top of the sidebar.'),
  product: entry('product', 'One product.', { name: text('Name that readers see, where it differs.') }),
  version: entry('version', 'One version.', { default: isDefault }),
  language: entry('language', 'One language; its name is a code such as en, fr-CA or zh-Hans.', {
    default: isDefault,
    banner: shared('banner', () => banner),
    footer: shared('footer', () => footer),
    navbar: shared('navbar', () => navbar),
  }),
  menuItem: entry('item', 'An entry of a menu.'),
  specSource: fields('A description and where its pages lie.', {
    source: oneOf('Path or address.', text('One.'), {
      type: 'array',
      items: oneOf('One of several.', text('Path or address.'), ofTree('specSource')),
    }),
    directory: text('Folder of the pages in addresses.', { default: 'api-reference' }),
    overlays: list('Overlays, applied in order.', text('Path or address of an overlay.')),
  }),
}

/** References to descriptions outside the navigation. */
export const specs: SettingSchema = {
  ...spec('OpenAPI'),
  description: 'Descriptions that operations are looked for in.',
}

export const NAVIGATION_SCHEMA: SettingSchema = oneOf(
  'The tree of pages.',
  fields('One kind of children, and what shows on every page.', {
    ...content,
    ...divisions,
    directory: listing,
    boost: amount('Weight of all pages in search.', 1),
    global,
  }),
  {
    type: 'array',
    items: ofTree('group'),
    description: 'Groups, as the older form has them.',
    deprecated: true,
  },
)
