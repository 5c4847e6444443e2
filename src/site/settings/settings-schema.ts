/**
 * Defines all settings of docs.json in one place, each with its type, default and description. The schema is used for
 * parsing, served to editors, and converted to the settings reference.
 */

import { getField, isFields, type JsonNode } from '../json.ts'
import { reportSetting } from '../read-json.ts'
import { banner, colorPair, contextual, footer, ICON_LIBRARIES, icon, navbar } from './chrome-schema.ts'
import { background, colors, favicon, fonts, logo, styling, thumbnails } from './look-schema.ts'
import { NAVIGATION_DEFINITIONS, NAVIGATION_SCHEMA, specs } from './navigation-schema.ts'
import {
  amount,
  choice,
  fields,
  fileReference,
  flag,
  list,
  mapped,
  mappedWithDefault,
  oneOf,
  type SettingContext,
  type SettingSchema,
  shared,
  table,
  text,
  texts,
  type ValueOf,
} from './schema-parts.ts'

const STANDARD_LANGUAGES = ['bash', 'python', 'javascript', 'php', 'go', 'java', 'ruby', 'csharp']

const apiSettings = (specs: () => SettingSchema) =>
  mappedWithDefault(
    fields('API reference pages.', {
      openapi: shared('specs', specs),
      asyncapi: shared('specs', specs),
      url: choice('`full` always shows the full URL of the server.', ['full']),
      playground: fields('The API playground.', {
        display: choice(
          '`interactive` shows a form to send requests. The other values do not.',
          ['interactive', 'simple', 'none', 'auth'],
          'interactive',
        ),
        proxy: flag(
          'If false, only the browser sends requests. If true, the platform sends them when the API does not allow cross-origin requests.',
          true,
        ),
        credentials: flag("Requests include the browser's cookies for the server.", false),
      }),
      params: fields('Fields.', {
        expanded: choice(
          'Whether nested fields are initially open (`all`) or collapsed (`closed`).',
          ['all', 'closed'],
          'closed',
        ),
        post: texts('Schema keys shown after the name of a field.', 'A key.'),
      }),
      examples: fields('Code samples.', {
        languages: texts('Languages of code samples, in order.', 'A language.'),
        defaults: choice('Parameters shown in samples.', ['required', 'all'], 'all'),
        prefill: flag('Fills the request form with the examples from the API description.', false),
        autogenerate: flag('Generates samples if the API description has none.', true),
      }),
      mdx: fields('API pages written by hand.', {
        server: texts('Server URLs for pages that specify only a path.', 'URL.'),
        auth: fields('Authentication of requests.', {
          method: choice('Authentication method.', ['bearer', 'basic', 'key', 'none', 'cobo']),
          name: text('Name of the header for API keys.'),
        }),
      }),
    }),
    ({ url, playground, params, examples, mdx }) => ({
      playground: playground.display,
      /**
       * `proxy` lets the platform forward calls that CORS blocks; with `credentials`, direct calls send
       * cookies.
       */
      proxy: playground.proxy,
      credentials: playground.credentials,
      isExpanded: params.expanded === 'all',
      /** Schema keys whose values are shown after the name of a field. */
      pills: params.post,
      hasFullUrl: url === 'full',
      examples: {
        /** As written: names or aliases, in the order in which samples are shown. */
        languages: examples.languages.length > 0 ? examples.languages : STANDARD_LANGUAGES,
        isRequiredOnly: examples.defaults === 'required',
        isPrefilled: examples.prefill,
        isGenerated: examples.autogenerate,
      },
      /** Server URLs for pages that only specify a path. */
      baseUrls: mdx.server,
      authMethod: mdx.auth.method,
      authName: mdx.auth.name,
    }),
  )

const id = (description: string) => oneOf(description, text(description), amount(description))

const services: Record<string, Record<string, SettingSchema>> = {
  adobe: { launchUrl: text('URL of the Launch script.') },
  amplitude: { apiKey: text('API key.') },
  clarity: { projectId: text('Project id.') },
  clearbit: { publicApiKey: text('Public API key.') },
  fathom: { siteId: text('Site id.') },
  frontchat: { snippetId: text('Snippet id.') },
  ga4: { measurementId: text('Measurement id: G-…') },
  gtm: { tagId: text('Container id: GTM-…') },
  heap: { appId: id('App id.') },
  hightouch: { writeKey: text('Write key.'), apiHost: text('Host of the API.') },
  hotjar: { hjid: id('Site id.'), hjsv: id('Version of the snippet.') },
  intercom: { appId: text('App id.') },
  koala: { publicApiKey: text('Public API key.') },
  logrocket: { appId: text('App id.') },
  mixpanel: { projectToken: text('Project token.'), region: choice('Region.', ['us', 'eu', 'in']) },
  onetrust: {
    domainScript: text('Domain script.'),
    categoryId: text('Category that grants consent.'),
    scriptSource: text('URL of the script.'),
  },
  osano: { scriptSource: text('URL of the script.') },
  pirsch: { id: text('Identification code.') },
  plausible: { domain: text('Domain of the site.'), server: text('Host of a self-hosted server.') },
  posthog: {
    apiKey: text('Project key: phc_…'),
    apiHost: text('Host of the API.'),
    sessionRecording: flag('Records sessions.'),
  },
  segment: { key: text('Write key.'), cdnUrl: text('URL of the script.') },
  telemetry: { enabled: flag('False turns off all data collection, including feedback.', true) },
  transcend: { bundleId: text('Bundle id.'), analyticsPurpose: text('Purpose that grants consent.') },
  cookies: { key: text("Key in the browser's storage."), value: text('Value that grants consent.') },
}

/** Services by name, with settings as written; the code of each script validates them. */
const INTEGRATIONS_SCHEMA = mapped(
  fields(
    'Analytics, chat and consent services.',
    Object.fromEntries(Object.entries(services).map(([name, own]) => [name, fields('Settings.', own)])),
  ),
  (_, { node }): Readonly<Record<string, Service>> =>
    Object.fromEntries(
      listEntries(node)
        .filter(([, { value }]) => isFields(value))
        .map(([name, one]) => [name, readService(one)]),
    ),
  () => ({}),
)

const plainText = mapped(
  { anyOf: [{ type: 'string' }, { type: 'boolean' }] } as SettingSchema<unknown>,
  String,
)

const metatags = table(
  'Tag names and their content. `canonical` is the base URL of all canonical URLs. `robots: noindex` excludes the whole site from search engines.',
  plainText,
)

const tags = shared('metatags', () => metatags)

/** Tags of folders, deepest folder first; paths start with a slash and have no trailing slash. */
const taggedPaths = mappedWithDefault(
  list(
    'Meta tags by folder. The deepest folder takes precedence, and a page takes precedence over all folders.',
    mapped(
      fields('One folder.', { path: text('Path of the folder.'), metatags: tags }),
      ({ path, metatags }) => {
        if (path === null) return null
        const parts = path.split('/').filter((part) => part !== '' && part !== '*' && part !== '**')
        return { path: parts.map((part) => `/${part}`).join(''), metatags }
      },
    ),
  ),
  (paths) => paths.toSorted((a, b) => b.path.length - a.path.length),
)

const seo = fields('Search engines.', {
  indexing: choice(
    'Pages to index: only those in the navigation, or also hidden ones.',
    ['navigable', 'all'],
    'navigable',
  ),
  metatags: tags,
  paths: taggedPaths,
  organization: fields('Publisher of the site.', {
    id: text('URL that identifies the publisher.'),
    name: text('Name. Default: the name of the site.'),
    legalName: text('Legal name.'),
    url: text('URL.'),
    logo: text('Path or URL of the logo.'),
    sameAs: list('Other URLs of the publisher.', text('URL.')),
  }),
  trailingSlash: flag('Canonical URLs and the sitemap end with a slash.', false),
})

const markdown = mappedWithDefault(
  fields('Markdown versions of pages, for AI agents.', {
    schema: flag('Operation pages link to their API description.', true),
    instructions: texts('Instructions for agents, added to every page that they read.', 'A line.'),
  }),
  ({ schema, instructions }) => ({ schema, instructions: instructions.join('\n') || null }),
)

const variables = mapped(
  table('Values that replace their names in double braces in pages.', plainText),
  omitInvalidNames,
  () => ({}),
)

const THEMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma'] as const

export const icons = fields('Icons.', {
  library: choice('Icon library in which icon names are looked up.', ICON_LIBRARIES, 'fontawesome'),
})

const settings = {
  $schema: text('URL of this schema, for editors.'),
  theme: choice('Theme of the site.', THEMES, 'mint'),
  name: text('Name of the site.', { default: 'Documentation' }),
  description: text('Description of the site for search engines and agents.'),
  colors,
  logo,
  favicon,
  appearance: fields('Light and dark colour schemes.', {
    default: choice('Initial colour scheme.', ['system', 'light', 'dark'], 'system'),
    strict: flag('Readers cannot switch the colour scheme.', false),
  }),
  fonts,
  icons,
  background,
  styling,
  thumbnails,
  samples: mappedWithDefault(
    fields('Checks of code samples.', {
      run: texts(
        'Languages whose code samples are run, except samples with `run=false`.',
        'A language, such as js.',
      ),
    }),
    ({ run }) => ({ run: run.map((language) => language.toLowerCase()) }),
  ),
  translations: fields('Pages in other languages.', {
    staleNote: flag(
      'Shows a note at the top of a translation if the original has changed since, with a link to the original.',
      false,
    ),
  }),
  navbar: shared('navbar', () => navbar),
  navigation: NAVIGATION_SCHEMA,
  footer: shared('footer', () => footer),
  banner: shared('banner', () => banner),
  interaction: fields('Behaviour of the navigation.', {
    drilldown: flag('Opening a nested group also opens its first page. Otherwise, it only expands.'),
  }),
  contextual,
  feedback: fields('Feedback on pages. The settings of the project take precedence.', {
    enabled: flag('If false, turns off every feedback option that is not turned on explicitly.'),
    thumbsRating: flag('The question "Was this page helpful?"'),
    codeSnippet: flag('A feedback button on code blocks.'),
    suggestEdit: flag('A link to the file in its repository.'),
    raiseIssue: flag('A link to create an issue in the repository.'),
  }),
  redirects: list(
    'Redirects.',
    fields('One redirect.', {
      source: text('Path. With `*` or `:name*` as the last segment, it matches all paths below.'),
      destination: text(
        'Path or URL. A `*` or `:name*` that also appears in the source is replaced by the part of the path that it matched.',
      ),
      permanent: flag('Redirects with status 308 if true, or 307 if false.', true),
    }),
  ),
  errors: fields('Error pages.', {
    '404': fields('Page for missing URLs.', {
      redirect: flag('Redirects to the start page instead of showing the error page. Default: false.', false),
      title: text('Heading.'),
      description: text('Inline Markdown below the heading.'),
    }),
  }),
  variables,
  metadata: fields('Page metadata.', {
    timestamp: flag(
      'Shows when each page was last changed: the `lastUpdatedDate` in its frontmatter, or the date of the last commit that changed its file.',
      false,
    ),
  }),
  search: fields('Search.', { prompt: text('Placeholder of the search field.') }),
  seo,
  markdown,
  api: apiSettings(() => specs),
  integrations: INTEGRATIONS_SCHEMA,
  public: flag('Accepted for compatibility with sites that require sign-in.'),
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

function omitInvalidNames(
  value: Readonly<Record<string, string>>,
  { problems, node }: SettingContext,
): Readonly<Record<string, string>> {
  const isOdd = (name: string) => !/^[\p{L}\p{N}_-]+$/u.test(name)
  for (const name of Object.keys(value).filter(isOdd)) {
    const message = `The variable name ${JSON.stringify(name)} may only contain letters, digits and hyphens.`
    const namedNode = getField(node, name) ?? node
    reportSetting(problems, namedNode, 'config.value', 'warning', message, 'Rename the variable.')
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isOdd(name)))
}

type Service = Readonly<Record<string, string | number | boolean>>

function readService(node: JsonNode): Service {
  const plain = listEntries(node).map(([key, { value }]) => [key, value] as const)
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(plain.filter(([, value]) => isPlain(value))) as Service
}

function listEntries({ value }: JsonNode): [string, JsonNode][] {
  return isFields(value) ? [...value].filter(([key]) => key !== '__proto__') : []
}
