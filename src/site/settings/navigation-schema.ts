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
const navigationReference = (name: string) =>
  shared(name, () => NAVIGATION_DEFINITIONS[name] as SettingSchema)

const appearance = {
  icon: shared('icon', () => icon),
  iconType: text('Style of the icon: solid, regular, brands …'),
  color: shared('colorPair', () => colorPair),
}

const visibility = {
  hidden: flag('Hidden from the navigation. Its pages keep their URLs.', false),
  searchable: flag('Keeps hidden pages in search and the sitemap.', false),
  public: flag('Accepted for compatibility with sites that require sign-in.'),
}

const listing = choice(
  'How the root page of a group lists the pages of the group.',
  ['none', 'accordion', 'card'],
  'none',
)

const spec = (kind: string): SettingSchema =>
  oneOf(
    `${kind} descriptions whose operations become pages here.`,
    text('Path or URL of one description.'),
    {
      type: 'array',
      items: oneOf('One description.', text('Path or URL.'), navigationReference('specSource')),
    },
    navigationReference('specSource'),
    flag('False: no description here.'),
  )

const graphql = oneOf(
  'A GraphQL schema whose queries, mutations and types become pages here.',
  text('Path or https URL of the schema.'),
  fields('The schema and the folder of its pages.', {
    source: text('Path or https URL.'),
    directory: text('Folder of the generated pages in their URLs.', { default: 'graphql-reference' }),
  }),
)

const sdk = fields('Output of a documentation tool for a library, whose symbols become pages here.', {
  format: choice('The tool. Pages can be generated from TypeDoc JSON.', [
    ...SDK_FORMATS,
    ...OTHER_SDK_FORMATS,
  ]),
  source: text('Path or https URL.'),
  directory: text('Folder of the generated pages in their URLs.', { default: 'sdk-reference' }),
})

const content = {
  pages: navigationReference('pages'),
  groups: list('Labelled sections of the sidebar.', navigationReference('group')),
  openapi: spec('OpenAPI'),
  asyncapi: spec('AsyncAPI'),
}

const divisions = {
  tabs: list('A row of tabs below the top bar.', navigationReference('tab')),
  anchors: list('Links at the top of the sidebar.', navigationReference('anchor')),
  dropdowns: list('A dropdown at the top of the sidebar.', navigationReference('dropdown')),
  products: list('A switch between products in the top bar.', navigationReference('product')),
  versions: list('A switch between versions in the top bar.', navigationReference('version')),
  languages: list('A switch between languages in the top bar.', navigationReference('language')),
  menu: list('A menu that opens from a tab or a product.', navigationReference('menuItem')),
}

const global = fields('Links shown on every page: entries with a URL and no pages.', divisions)

function entry(name: string, about: string, more: Record<string, SettingSchema> = {}): SettingSchema {
  return fields(about, {
    [name]: text('Name shown to readers.'),
    href: text('Turns the entry into a link.'),
    url: former('href'),
    ...appearance,
    ...visibility,
    tag: text('A label after the name.'),
    description: text('Text below the name, if there is room.'),
    directory: listing,
    boost: amount('Ranking factor of its pages in search.', 1),
    ...content,
    ...divisions,
    global,
    graphql,
    sdk,
    ...more,
  })
}

const group = fields('A labelled section of the sidebar.', {
  group: text('Name shown to readers.'),
  root: text('Page that the name links to.'),
  ...appearance,
  ...visibility,
  tag: text('A label after the name.'),
  expanded: flag('Initially open, for nested groups.', false),
  collapsed: former('expanded with the opposite value'),
  version: text('Version of the group, in the older format.', { deprecated: true }),
  directory: listing,
  boost: amount('Ranking factor of its pages in search.', 1),
  ...content,
  sdk,
})

const isDefault = flag('Shown to readers who have not chosen another entry. Default: the first entry.', false)

export const NAVIGATION_DEFINITIONS: Record<string, SettingSchema> = {
  pages: list(
    'Pages in order: paths of files without extension, operations such as "GET /users", groups.',
    navigationReference('pageEntry'),
  ),
  pageEntry: oneOf('One entry.', text('Path of a page, or an operation.'), navigationReference('group'), {
    type: 'array',
    items: navigationReference('pageEntry'),
  }),
  group: {
    ...group,
    properties: {
      ...group.properties,
      // A link in a list of pages has its label in one of these keys, depending on the kind of link.
      ...Object.fromEntries(
        ['anchor', 'label', 'title', 'name', 'tab', 'dropdown', 'item', 'product'].map((name) => [
          name,
          text('Label of a link in a list of pages.'),
        ]),
      ),
      href: text('Turns the entry into a link.'),
      url: former('href'),
      page: former('a string with the path'),
      path: former('a string with the path'),
    },
  },
  tab: entry('tab', 'A tab in the row below the top bar.', {
    align: choice('End of the row at which the tab is shown.', ['start', 'end'], 'start'),
  }),
  anchor: entry('anchor', 'A link at the top of the sidebar, with its own pages or a URL.'),
  dropdown: entry('dropdown', 'An entry of the dropdown at the top of the sidebar.'),
  product: entry('product', 'One product.', { name: text('Name shown to readers, if different.') }),
  version: entry('version', 'One version.', { default: isDefault }),
  language: entry('language', 'One language. Its name is a code such as en, fr-CA or zh-Hans.', {
    default: isDefault,
    banner: shared('banner', () => banner),
    footer: shared('footer', () => footer),
    navbar: shared('navbar', () => navbar),
  }),
  menuItem: entry('item', 'An entry of a menu.'),
  specSource: fields('A description and the folder of its pages.', {
    source: oneOf('Path or URL.', text('One.'), {
      type: 'array',
      items: oneOf('One description.', text('Path or URL.'), navigationReference('specSource')),
    }),
    directory: text('Folder of the generated pages in their URLs.', { default: 'api-reference' }),
    overlays: list('Overlays, applied in order.', text('Path or URL of an overlay.')),
  }),
}

export const specs: SettingSchema = {
  ...spec('OpenAPI'),
  description: 'API descriptions in which operations are looked up.',
}

export const NAVIGATION_SCHEMA: SettingSchema = oneOf(
  'The navigation tree.',
  fields('One type of children, and links shown on every page.', {
    ...content,
    ...divisions,
    directory: listing,
    boost: amount('Ranking factor in search for all pages of this entry.', 1),
    global,
  }),
  {
    type: 'array',
    items: navigationReference('group'),
    description: 'Groups, in the older format.',
    deprecated: true,
  },
)
