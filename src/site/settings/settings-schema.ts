/**
 * Every setting of docs.json with its type, its default and what it does, each in one place: read by it, served to
 * editors, and the text of the settings reference.
 */
import { apiSettings } from '../reference/api-schema.ts'
import { banner, colorPair, contextual, footer, ICON_LIBRARIES, icon, navbar } from './chrome-schema.ts'
import { INTEGRATIONS_SCHEMA } from './integrations-schema.ts'
import { background, colors, favicon, fonts, logo, styling, thumbnails } from './look-schema.ts'
import { markdown, metatags, seo, variables } from './machine-schema.ts'
import { NAVIGATION_DEFINITIONS, NAVIGATION_SCHEMA, specs } from './navigation-schema.ts'
import {
  choice,
  fields,
  fileReference,
  flag,
  list,
  type SettingSchema,
  shared,
  text,
  type ValueOf,
} from './schema-parts.ts'

const THEMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma'] as const

export const icons = fields('Icons.', {
  library: choice('Set that names of icons are looked for in.', ICON_LIBRARIES, 'fontawesome'),
})

const settings = {
  $schema: text('Address of this schema, for editors.'),
  theme: choice('The look of the site.', THEMES, 'mint'),
  name: text('Name of the site.', { default: 'Documentation' }),
  description: text('What the site is about, for search engines and agents.'),
  colors,
  logo,
  favicon,
  appearance: fields('Light and dark.', {
    default: choice('What readers see first.', ['system', 'light', 'dark'], 'system'),
    strict: flag('Readers cannot switch.', false),
  }),
  fonts,
  icons,
  background,
  styling,
  thumbnails,
  navbar: shared('navbar', () => navbar),
  navigation: NAVIGATION_SCHEMA,
  footer: shared('footer', () => footer),
  banner: shared('banner', () => banner),
  interaction: fields('How the navigation behaves.', {
    drilldown: flag('Opening a group in a group leads to its first page; else it only opens.'),
  }),
  contextual,
  feedback: fields('What pages ask readers; the settings of the project come first.', {
    enabled: flag('Switches off all that is not switched on by name.'),
    thumbsRating: flag('Was this page helpful?'),
    codeSnippet: flag('A button on blocks of code.'),
    suggestEdit: flag('A link to the file in its repository.'),
    raiseIssue: flag('A link to a new issue of the repository.'),
  }),
  redirects: list(
    'Old addresses.',
    fields('One move.', {
      source: text('Path; with `*` or `:name*` as its last part it stands for all below.'),
      destination: text('Path or address; the same `*` or `:name*` puts the captured rest in.'),
      permanent: flag('308 when true, 307 when false.', true),
    }),
  ),
  errors: fields('What readers see where nothing is.', {
    '404': fields('An address without a page.', {
      redirect: flag(
        'Leads on to the start page. Octavo shows the page for missing ones unless this is true.',
        false,
      ),
      title: text('Heading.'),
      description: text('Inline Markdown below the heading.'),
    }),
  }),
  variables,
  metadata: fields('Facts about pages.', {
    timestamp: flag(
      'Shows when pages were changed: `lastUpdatedDate` of their frontmatter, else the last commit that changed their file.',
      false,
    ),
  }),
  search: fields('Search.', { prompt: text('Text in the empty field.') }),
  seo,
  markdown,
  api: apiSettings(() => specs),
  integrations: INTEGRATIONS_SCHEMA,
  public: flag('Kept for sites with readers who sign in.'),
}

export type Settings = { [Key in keyof typeof settings]: ValueOf<(typeof settings)[Key]> }

const definitions: Record<string, SettingSchema> = {
  fileReference,
  icon,
  colorPair,
  banner,
  navbar,
  footer,
  metatags,
  ...NAVIGATION_DEFINITIONS,
  specs,
}

export const SETTINGS_SCHEMA: SettingSchema<Settings> & {
  $schema: string
  properties: Readonly<Record<string, SettingSchema>>
  definitions: Readonly<Record<string, SettingSchema>>
} = {
  ...fields('Settings of a documentation site.', settings),
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'docs.json',
  properties: settings,
  required: ['theme', 'name', 'colors', 'navigation'],
  definitions,
}
