/** Converts mint.json, the older settings format, to docs.json; every value retains its position in the file. */
import type { Problem } from '../../base/errors/problem.ts'
import {
  getField,
  getNodeLine,
  isFields,
  isList,
  type JsonContent,
  type JsonFields,
  type JsonNode,
} from '../json.ts'

const OLD_SETTINGS_KEYS = [
  'topbarLinks',
  'topbarCtaButton',
  'footerSocials',
  'modeToggle',
  'primaryTab',
  'tabs',
  'anchors',
]

/** Returns true for mint.json, and for a docs.json in the same format. */
export function isOldSettings(root: JsonNode): boolean {
  if (root.source.file.endsWith('mint.json')) return true
  const navigation = getField(root, 'navigation')
  return (
    navigation !== undefined &&
    isList(navigation.value) &&
    OLD_SETTINGS_KEYS.some((key) => getField(root, key))
  )
}

export function upgradeOldSettings(problems: Problem[], root: JsonNode): JsonNode {
  problems.push({
    file: root.source.file,
    line: null,
    code: 'config.old_form',
    level: 'hint',
    message: `${root.source.file} uses an older format, which is converted automatically.`,
    remedy: 'Move the settings to docs.json.',
  })
  const old = (path: string) => path.split('.').reduce<JsonNode | undefined>(getField, root)
  return createFields(root, {
    ...pickFields(root, [
      '$schema',
      'name',
      'description',
      'favicon',
      'redirects',
      'search',
      'banner',
      'variables',
      'feedback',
      'contextual',
      'errors',
      'interaction',
      'markdown',
      'thumbnails',
    ]),
    theme: upgradeTheme(root),
    logo: old('logo'),
    colors:
      old('colors') && createFields(root, { ...pickFields(old('colors'), ['primary', 'light', 'dark']) }),
    background: createFields(root, {
      color: old('colors.background'),
      image: old('backgroundImage'),
      ...pickFields(old('background'), ['decoration']),
      ...(old('background.style') ? { decoration: old('background.style') } : {}),
    }),
    fonts: upgradeFonts(old('font') ?? old('fonts')),
    appearance: upgradeAppearance(old('modeToggle')),
    styling: createFields(root, {
      eyebrows: old('eyebrow.display') ?? old('styling.eyebrows'),
      codeblocks:
        old('codeBlock.mode') &&
        createText(root, old('codeBlock.mode')?.value === 'dark' ? 'dark' : 'system'),
    }),
    icons: old('icons'),
    navbar: upgradeNavbar(root),
    footer: upgradeFooter(root),
    navigation: upgradeNavigation(root),
    api: upgradeApi(root),
    seo: createFields(root, {
      ...pickFields(old('seo'), ['paths', 'organization', 'trailingSlash']),
      metatags: old('metadata') ?? old('seo.metatags'),
      indexing: old('seo.indexHiddenPages')?.value === true ? createText(root, 'all') : undefined,
    }),
    integrations: old('analytics') ?? old('integrations'),
  })
}

/** Moves meta tags from `metadata`, where the older format has them, to `seo.metatags` of a docs.json. */
export function moveMetatags(problems: Problem[], root: JsonNode): JsonNode {
  const metadata = getField(root, 'metadata')
  if (!metadata || !isFields(metadata.value)) return root
  const isTag = ([name]: readonly [string, JsonNode]) =>
    /[:-]/.test(name) || ['robots', 'canonical', 'keywords', 'description', 'author'].includes(name)
  const tags = [...metadata.value].filter(isTag)
  const seo = getField(root, 'seo')
  const written = getField(seo, 'metatags')
  const isReadable = [seo, written].every((node) => node === undefined || isFields(node.value))
  if (tags.length === 0 || !isReadable) return root
  for (const [name, node] of tags) {
    problems.push({
      file: node.source.file,
      line: getNodeLine(node),
      code: 'config.old_form',
      level: 'hint',
      message: `metadata.${name} is a meta tag. It is treated as part of seo.metatags.`,
      remedy: 'Move it to seo.metatags.',
    })
  }
  const others = [...metadata.value].filter((field) => !isTag(field))
  return createFields(root, {
    ...Object.fromEntries(isFields(root.value) ? root.value : []),
    metadata: createNode(metadata, new Map(others)),
    seo: createFields(seo ?? metadata, {
      ...Object.fromEntries(seo && isFields(seo.value) ? seo.value : []),
      metatags: createNode(
        metadata,
        new Map([...tags, ...(written && isFields(written.value) ? written.value : [])]),
      ),
    }),
  })
}

function createNode(at: JsonNode, value: JsonContent): JsonNode {
  return { ...at, value }
}

function createText(at: JsonNode, value: string): JsonNode {
  return createNode(at, value)
}

function createFields(at: JsonNode, entries: Record<string, JsonNode | undefined>): JsonNode {
  const map = new Map<string, JsonNode>()
  for (const [key, value] of Object.entries(entries)) {
    if (value && !(isFields(value.value) && value.value.size === 0)) map.set(key, value)
  }
  return createNode(at, map)
}

function pickFields(
  node: JsonNode | undefined,
  keys: readonly string[],
): Record<string, JsonNode | undefined> {
  return Object.fromEntries(keys.map((key) => [key, getField(node, key)]))
}

function items(node: JsonNode | undefined): readonly JsonNode[] {
  return node && isList(node.value) ? node.value : []
}

function readText(node: JsonNode | undefined): string {
  return typeof node?.value === 'string' ? node.value : ''
}

function upgradeFonts(font: JsonNode | undefined): JsonNode | undefined {
  if (!font || !isFields(font.value)) return undefined
  const own = pickFields(font, ['family', 'weight', 'source', 'url', 'format'])
  return createFields(font, {
    ...own,
    source: own.source ?? own.url,
    url: undefined,
    heading: getField(font, 'headings') ?? getField(font, 'heading'),
    body: getField(font, 'body'),
  })
}

function upgradeAppearance(toggle: JsonNode | undefined): JsonNode | undefined {
  return (
    toggle &&
    createFields(toggle, { default: getField(toggle, 'default'), strict: getField(toggle, 'isHidden') })
  )
}

function upgradeNavbar(root: JsonNode): JsonNode | undefined {
  const own = getField(root, 'navbar')
  if (own) return own
  const link = (node: JsonNode, standard: string) => {
    const type = readText(getField(node, 'type'))
    return createFields(node, {
      label: getField(node, 'name') ?? getField(node, 'label'),
      href: getField(node, 'url') ?? getField(node, 'href'),
      type: type === 'github' ? createText(node, 'github') : createText(node, standard),
    })
  }
  const links = getField(root, 'topbarLinks')
  const button = getField(root, 'topbarCtaButton')
  return createFields(root, {
    links:
      links &&
      createNode(
        links,
        items(links).map((node) => link(node, 'link')),
      ),
    primary: button && link(button, 'button'),
  })
}

/** Replaces themes that docs.json no longer supports by the default theme. */
function upgradeTheme(root: JsonNode): JsonNode {
  const theme = getField(root, 'theme')
  return theme && !['venus', 'prism', 'quill'].includes(readText(theme)) ? theme : createText(root, 'mint')
}

/** Converts the columns of a footer, which were `{ title, links: [{ label, url }] }`. */
function upgradeFooter(root: JsonNode): JsonNode {
  const footer = getField(root, 'footer')
  const columns = getField(footer, 'links')
  const upgraded = items(columns).map((column) =>
    createFields(column, {
      header: getField(column, 'header') ?? getField(column, 'title'),
      items: upgradeList(getField(column, 'items') ?? getField(column, 'links'), (link) =>
        createFields(link, {
          label: getField(link, 'label') ?? getField(link, 'name'),
          href: getField(link, 'href') ?? getField(link, 'url'),
        }),
      ),
    }),
  )
  return createFields(root, {
    socials: upgradeSocials(getField(root, 'footerSocials') ?? getField(footer, 'socials')),
    links: columns && createNode(columns, upgraded),
  })
}

function upgradeList(
  list: JsonNode | undefined,
  upgrade: (item: JsonNode) => JsonNode,
): JsonNode | undefined {
  return list && createNode(list, items(list).map(upgrade))
}

/** Converts social links, which were either `{ x: url }` or a list of `{ type, url }`. */
function upgradeSocials(socials: JsonNode | undefined): JsonNode | undefined {
  if (!socials || !isList(socials.value)) return socials
  const named = new Map<string, JsonNode>()
  for (const entry of socials.value) {
    const url = getField(entry, 'url')
    if (url) named.set(readText(getField(entry, 'type')), url)
  }
  return createNode(socials, named)
}

function upgradeApi(root: JsonNode): JsonNode | undefined {
  const api = getField(root, 'api')
  const mode = getField(getField(api, 'playground'), 'mode')
  const display =
    mode &&
    createText(
      mode,
      readText(mode) === 'show' ? 'interactive' : readText(mode) === 'hide' ? 'none' : readText(mode),
    )
  return createFields(api ?? root, {
    openapi: getField(root, 'openapi') ?? getField(api, 'openapi'),
    asyncapi: getField(root, 'asyncapi') ?? getField(api, 'asyncapi'),
    playground: upgradePlayground(getField(api, 'playground'), display),
    params: getField(api, 'params') ?? upgradeParams(getField(getField(api, 'paramFields'), 'expanded')),
    examples: getField(api, 'examples') ?? upgradeExamples(getField(getField(api, 'request'), 'example')),
    mdx:
      api &&
      createFields(api, {
        server: getField(api, 'baseUrl') ?? getField(api, 'server'),
        auth: getField(api, 'auth'),
      }),
  })
}

function upgradePlayground(
  playground: JsonNode | undefined,
  display: JsonNode | undefined,
): JsonNode | undefined {
  if (!playground || !isFields(playground.value)) return undefined
  const disabled = getField(playground, 'disableProxy')
  return createFields(playground, {
    ...pickFields(playground, ['display', 'proxy', 'credentials']),
    ...(display ? { display } : {}),
    ...(disabled?.value === true ? { proxy: createNode(disabled, false) } : {}),
  })
}

function upgradeParams(expanded: JsonNode | undefined): JsonNode | undefined {
  if (!expanded) return undefined
  const isOpen = expanded.value === true || expanded.value === 'all'
  return createFields(expanded, { expanded: createText(expanded, isOpen ? 'all' : 'closed') })
}

function upgradeExamples(example: JsonNode | undefined): JsonNode | undefined {
  if (!example || !isFields(example.value)) return undefined
  const optional = getField(example, 'showOptionalParams')
  return createFields(example, {
    languages: getField(example, 'languages'),
    defaults: optional && createText(optional, optional.value === false ? 'required' : 'all'),
  })
}

/**
 * The old navigation is a single list of groups. Tabs and anchors contain the groups whose pages are below
 * their `url`; versions contain the groups with their name.
 */
function upgradeNavigation(root: JsonNode): JsonNode | undefined {
  const navigation = getField(root, 'navigation')
  if (!navigation || !isList(navigation.value)) return navigation
  const versions = items(getField(root, 'versions'))
  const whole = (groups: readonly JsonNode[]) => upgradeGroups(root, navigation, groups)
  if (versions.length === 0) return whole(navigation.value)
  const entries = versions.map((version) => {
    const name = isFields(version.value) ? getField(version, 'name') : version
    const groups = (navigation.value as readonly JsonNode[]).filter((group) => {
      const own = readText(getField(group, 'version'))
      return own === '' || own === readText(name)
    })
    const content = whole(groups).value as JsonFields
    const locale = isFields(version.value) ? getField(version, 'locale') : undefined
    const own = pickFields(version, ['default', 'hidden'])
    const about = Object.entries(own).flatMap(([key, value]) => (value ? [[key, value] as const] : []))
    const named = [locale ? 'language' : 'version', locale ?? name ?? version] as const
    return createNode(version, new Map([named, ...about, ...content]))
  })
  const isLocal = versions.some((version) => getField(version, 'locale') !== undefined)
  return createFields(navigation, { [isLocal ? 'languages' : 'versions']: createNode(navigation, entries) })
}

function upgradeGroups(root: JsonNode, navigation: JsonNode, groups: readonly JsonNode[]): JsonNode {
  const tabs = items(getField(root, 'tabs'))
  const anchors = items(getField(root, 'anchors'))
  const claims = [...tabs, ...anchors].filter((entry) => !isAddress(readPrefix(entry)))
  const owner = new Map(
    groups.map((group) => [group, claims.find((entry) => isGroupInFolder(group, readPrefix(entry)))]),
  )
  const ownedBy = (entry: JsonNode | undefined) => groups.filter((group) => owner.get(group) === entry)
  const rest = ownedBy(undefined)

  const section = (kind: 'tab' | 'anchor', entry: JsonNode) => {
    const owned = ownedBy(entry)
    return createFields(entry, {
      [kind]: getField(entry, 'name'),
      icon: getField(entry, 'icon'),
      iconType: getField(entry, 'iconType'),
      hidden: getField(entry, 'isDefaultHidden'),
      ...(owned.length > 0
        ? { openapi: getField(entry, 'openapi'), groups: createNode(entry, owned) }
        : { href: findLink(entry), openapi: getField(entry, 'openapi') }),
    })
  }
  const hasChildren = (entry: JsonNode) =>
    ownedBy(entry).length > 0 || getField(entry, 'openapi') !== undefined
  const outer = anchors.filter((anchor) => !hasChildren(anchor)).map((anchor) => section('anchor', anchor))
  const inner = anchors.filter(hasChildren).map((anchor) => section('anchor', anchor))
  const global =
    outer.length > 0 ? createFields(navigation, { anchors: createNode(navigation, outer) }) : undefined
  if (tabs.length === 0 && inner.length === 0) {
    return createFields(navigation, { groups: createNode(navigation, rest), global })
  }
  const firstName = getField(getField(root, tabs.length > 0 ? 'primaryTab' : 'topAnchor'), 'name')
  const kind = tabs.length > 0 ? 'tab' : 'anchor'
  const first = createFields(navigation, {
    [kind]: firstName ?? createText(navigation, 'Documentation'),
    groups: createNode(navigation, rest),
  })
  const sections =
    kind === 'tab' ? [...tabs.map((tab) => section('tab', tab)), ...inner.map(convertToTab)] : inner
  const all = rest.length > 0 ? [first, ...sections] : sections
  return createFields(navigation, { [`${kind}s`]: createNode(navigation, all), global })
}

/** Next to tabs, an anchor with groups becomes a tab, because an entry can only have children of one kind. */
function convertToTab(anchor: JsonNode): JsonNode {
  const { value } = anchor
  if (!isFields(value)) return anchor
  return createNode(
    anchor,
    new Map([...value].map(([key, field]) => [key === 'anchor' ? 'tab' : key, field])),
  )
}

function readPrefix(entry: JsonNode): string {
  return readText(getField(entry, 'url'))
}

function isAddress(url: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url)
}

/** Returns the link of an entry without groups. A local URL is relative to the root. */
function findLink(entry: JsonNode): JsonNode | undefined {
  const url = getField(entry, 'url')
  if (!url || isAddress(readText(url)) || readText(url).startsWith('/')) return url
  return createText(url, `/${readText(url)}`)
}

function isGroupInFolder(group: JsonNode, prefix: string): boolean {
  const folder = prefix.replace(/^\/+|(?<!\/)\/+$/g, '')
  const first = findFirstPage(group)
  return folder !== '' && first !== null && (first === folder || first.startsWith(`${folder}/`))
}

function findFirstPage(group: JsonNode): string | null {
  for (const page of items(getField(group, 'pages'))) {
    if (typeof page.value === 'string') return page.value.replace(/^\/+/, '')
    const nested = findFirstPage(page)
    if (nested !== null) return nested
  }
  return null
}
