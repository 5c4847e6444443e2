/**
 * Every setting of docs.json with its type, its default and what it does. Served to editors, read by the check, and the
 * text of the settings reference.
 */
import { INTEGRATIONS_SCHEMA } from './integrations-schema.ts'
import { NAVIGATION_DEFINITIONS, NAVIGATION_SCHEMA } from './navigation-schema.ts'
import {
  amount,
  choice,
  color,
  fields,
  flag,
  former,
  list,
  oneOf,
  type SettingSchema,
  shared,
  table,
  text,
} from './schema-parts.ts'

const THEMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma']
const SOCIALS = (
  'x website facebook youtube discord slack github linkedin instagram hacker-news medium telegram twitter ' +
  'x-twitter earth-americas bluesky threads reddit podcast'
).split(' ')
const PAGE_ACTIONS = (
  'copy view assistant download-pdf download-spec chatgpt claude perplexity grok aistudio devin devin-desktop ' +
  'windsurf mcp add-mcp cursor vscode devin-mcp'
).split(' ')

const themedImage = (about: string, more: Record<string, SettingSchema> = {}) =>
  oneOf(
    about,
    text('One image for both colour schemes.'),
    fields('One image for each colour scheme.', {
      light: text('Image on light pages.'),
      dark: text('Image on dark pages.'),
      ...more,
    }),
  )

const font = {
  family: text('Name of the font family.'),
  weight: amount('Weight: 400, 550 …'),
  source: text('Path or address of the font file.'),
  format: choice('Format of the file; known from its name.', ['woff', 'woff2']),
}

const codeTheme = text('Name of a theme for code, such as github-light-default.')

const link = {
  label: text('Text of the link.'),
  href: text('Where it leads.'),
  url: former('href'),
  icon: shared('icon'),
  iconType: text('Style of the icon.'),
}

const definitions: Record<string, SettingSchema> = {
  fileReference: {
    type: 'object',
    description: 'Puts the content of another file here.',
    properties: { $ref: text('Path of a JSON file, relative to this one.') },
  },
  icon: oneOf(
    'Name of an icon, address or path of an image, or an SVG.',
    text('Name, address, path or SVG.'),
    fields('An icon of a certain style or library.', {
      name: text('Name of the icon.'),
      style: text('Style: solid, regular, brands …'),
      library: choice('Set of icons.', ['fontawesome', 'lucide', 'tabler']),
    }),
  ),
  colorPair: oneOf(
    'One colour, or one for each colour scheme.',
    color('A colour.'),
    fields('One for each colour scheme.', { light: color('On light pages.'), dark: color('On dark pages.') }),
  ),
  banner: oneOf(
    'An announcement above the top bar.',
    text('Inline Markdown.'),
    fields('An announcement above the top bar.', {
      content: text('Inline Markdown: links, bold, italics.'),
      dismissible: flag('Readers can close it; it comes back when the text changes.', false),
      type: choice('Colour by meaning.', ['info', 'warning', 'critical'], 'info'),
      color: shared('colorPair'),
    }),
  ),
  navbar: fields('The bar at the top.', {
    links: list(
      'Links at its end.',
      fields('One link.', {
        type: choice('A link to a repository or a chat has its sign.', [
          'link',
          'github',
          'discord',
          'button',
        ]),
        ...link,
      }),
    ),
    primary: fields('The button at its end.', {
      type: choice('A plain button, or one with a sign.', ['button', 'github', 'discord', 'link'], 'button'),
      ...link,
    }),
  }),
  footer: fields('The end of every page.', {
    socials: fields(
      'Addresses of the project elsewhere.',
      Object.fromEntries(SOCIALS.map((name) => [name, text('Whole address.')])),
    ),
    links: list(
      'Columns of links.',
      fields('One column.', {
        header: text('Title of the column.'),
        items: list(
          'Its links.',
          fields('One link.', { label: text('Text.'), href: text('Where it leads.') }),
        ),
      }),
    ),
  }),
  metatags: table(
    'Name of a tag to its content. `canonical` is the address that all canonical addresses begin with; `robots: noindex` keeps the whole site out of every index.',
    { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
  ),
  ...NAVIGATION_DEFINITIONS,
}

const settings: Record<string, SettingSchema> = {
  $schema: text('Address of this schema, for editors.'),
  theme: choice('The look of the site.', THEMES, 'mint'),
  name: text('Name of the site.', { default: 'Documentation' }),
  description: text('What the site is about, for search engines and agents.'),
  colors: fields('Colours of the brand, as # with three or six hexadecimal digits.', {
    primary: color('Emphasis on light pages; alone, it is used for everything.'),
    light: color('Emphasis on dark pages; primary when it is left out.'),
    dark: color('Buttons; primary when it is left out.'),
  }),
  logo: themedImage('Image at the start of the top bar.', {
    href: text('Where it leads; the first page of the language when it is left out.'),
  }),
  favicon: themedImage('Sign in the tab of the browser.'),
  appearance: fields('Light and dark.', {
    default: choice('What readers see first.', ['system', 'light', 'dark'], 'system'),
    strict: flag('Readers cannot switch.', false),
  }),
  fonts: fields('Typography.', {
    ...font,
    heading: fields('Font of headings.', font),
    body: fields('Font of text.', font),
  }),
  icons: fields('Icons.', {
    library: choice(
      'Set that names of icons are looked for in.',
      ['fontawesome', 'lucide', 'tabler'],
      'fontawesome',
    ),
  }),
  background: fields('Behind the page.', {
    decoration: choice('A pattern.', ['gradient', 'grid', 'windows']),
    color: fields('Colour of the page.', { light: color('On light pages.'), dark: color('On dark pages.') }),
    image: themedImage('An image.'),
  }),
  styling: fields('Details of pages.', {
    eyebrows: choice('Above the title: the group, or all of them.', ['section', 'breadcrumbs'], 'section'),
    latex: flag('Loads the style of formulas on every page; else only where there are some.'),
    codeblocks: oneOf(
      'Colours of code: `system` follows the page, `dark` never does, or the name of a theme.',
      text('system, dark, or the name of a theme.', { default: 'system' }),
      fields('Themes and languages.', {
        theme: oneOf(
          'A theme, or one for each colour scheme.',
          codeTheme,
          fields('One for each colour scheme.', { light: codeTheme, dark: codeTheme }),
        ),
        languages: fields('More languages.', {
          custom: list('Grammars.', text('Path of a TextMate grammar as JSON.')),
        }),
      }),
    ),
  }),
  thumbnails: fields('Images that chats show beside a link to a page.', {
    appearance: choice('Colour scheme of pictures that are drawn.', ['light', 'dark']),
    background: text('Image (PNG, JPEG, WebP) for pages without one of their own.'),
    fonts: fields('Font of drawn pictures; they have the one that comes with every site.', {
      family: font.family,
    }),
  }),
  navbar: shared('navbar'),
  navigation: NAVIGATION_SCHEMA,
  footer: shared('footer'),
  banner: shared('banner'),
  interaction: fields('How the navigation behaves.', {
    drilldown: flag('Opening a group in a group leads to its first page; else it only opens.'),
  }),
  contextual: fields('The menu beside the title of a page.', {
    options: list(
      'Its entries in order. What a deployment cannot do is left out.',
      oneOf(
        'A known entry, or one of your own.',
        choice('A known entry.', PAGE_ACTIONS),
        fields('An entry of your own.', {
          title: text('Its name.'),
          description: text('A line below the name.'),
          icon: shared('icon'),
          iconType: text('Style of the icon.'),
          href: oneOf(
            'Where it leads; `$page` is the address of the page as Markdown, `$path` its path, `$mcp` the MCP server.',
            text('Address.'),
            fields('Address with query.', {
              base: text('Address.'),
              query: list('Query.', fields('A pair.', { key: text('Name.'), value: text('Value.') })),
            }),
          ),
        }),
      ),
    ),
    display: choice('Where the menu stands.', ['header', 'toc'], 'header'),
  }),
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
  variables: table('Texts that pages show where the name stands in two pairs of braces.', {
    anyOf: [{ type: 'string' }, { type: 'boolean' }],
  }),
  metadata: fields('Facts about pages.', {
    timestamp: flag('Shows when a page was changed, where its frontmatter says so.', false),
  }),
  search: fields('Search.', { prompt: text('Text in the empty field.') }),
  seo: fields('Search engines.', {
    indexing: choice(
      'Which pages they get: those of the navigation, or hidden ones too.',
      ['navigable', 'all'],
      'navigable',
    ),
    metatags: shared('metatags'),
    paths: list(
      'Tags of folders; the deeper folder wins, and the page over all.',
      fields('One folder.', { path: text('The folder.'), metatags: shared('metatags') }),
    ),
    organization: fields('Who publishes the site.', {
      id: text('Its address as an identifier.'),
      name: text('Name; that of the site when it is left out.'),
      legalName: text('Name before the law.'),
      url: text('Address.'),
      logo: text('Path or address of its logo.'),
      sameAs: list('Its other addresses.', text('Address.')),
    }),
    trailingSlash: flag('Addresses told to the outside end with a slash.', false),
  }),
  markdown: fields('What agents read.', {
    schema: flag('Pages of an operation name their API description.', true),
    instructions: oneOf('A request to agents, on every page they read.', text('One line or more.'), {
      type: 'array',
      items: text('A line.'),
    }),
  }),
  api: fields('Pages of interfaces.', {
    openapi: shared('specs'),
    asyncapi: shared('specs'),
    url: choice('Always shows the whole address of the server.', ['full']),
    playground: fields('Trying requests.', {
      display: choice(
        'What there is to try with: a form with `interactive`, none with the others.',
        ['interactive', 'simple', 'none', 'auth'],
        'interactive',
      ),
      proxy: flag(
        "False: calls are made by the reader's browser alone, never through the platform where the API lets no page make them.",
        true,
      ),
      credentials: flag('Requests take the cookies along that the browser has of the server.', false),
    }),
    params: fields('Fields.', {
      expanded: choice('Nested fields when a page opens.', ['all', 'closed'], 'closed'),
      post: list('Keys of schemas that stand behind the name of a field.', text('A key.')),
    }),
    examples: fields('Samples of code.', {
      languages: list('Languages in order.', text('A language.')),
      defaults: choice('Parameters in samples.', ['required', 'all'], 'all'),
      prefill: flag('Fills the form with the examples of the description.', false),
      autogenerate: flag('Makes samples where the description has none.', true),
    }),
    mdx: fields('Pages written by hand.', {
      server: oneOf('Servers.', text('Address.'), { type: 'array', items: text('Address.') }),
      auth: fields('How requests prove who they are.', {
        method: choice('Method.', ['bearer', 'basic', 'key', 'none', 'cobo']),
        name: text('Name of the header of a key.'),
      }),
    }),
  }),
  integrations: INTEGRATIONS_SCHEMA,
  public: flag('Kept for sites with readers who sign in.'),
}

definitions.specs = {
  ...(definitions.tab?.properties?.openapi as SettingSchema),
  description: 'Descriptions that operations are looked for in.',
}

export const SETTINGS_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'docs.json',
  description: 'Settings of a documentation site.',
  type: 'object',
  properties: settings,
  patternProperties: { '^[$_]': {} },
  additionalProperties: false,
  required: ['theme', 'name', 'colors', 'navigation'],
  definitions,
} as const satisfies SettingSchema & { definitions: Record<string, SettingSchema>; $schema: string }
