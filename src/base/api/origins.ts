/**
 * What each kind of answer may do in a browser, and what the pages of other origins may do with it: all of it stands here.
 *
 * The dashboard and the API are one origin, the public address. Each published site is an origin of its own, by its host
 * name; authors' scripts run there, and there alone. A cookie knows no port, and of two hosts below one domain the browser
 * speaks as one site: so what keeps a published page from the dashboard is not the cookie's `SameSite`, but that the
 * internal API takes requests of its own origin only (`Sec-Fetch-Site`, `Origin`), answers none of them with a CORS header,
 * and needs a header that no form can send. Over https no other host can plant a cookie either: they are `__Host-` ones.
 */

export type OriginKind =
  | 'api'
  | 'dashboard'
  | 'frontPage'
  | 'formPage'
  | 'reviewPage'
  | 'reviewPreview'
  | 'reviewPicture'
  | 'object'
  | 'site'
  | 'siteDrawing'
  | 'sitePreview'

interface Origin {
  policy: Readonly<Record<string, readonly string[]>>
  headers: Readonly<Record<string, string>>
}

const SELF = "'self'"
const NONE = "'none'"
const INLINE = "'unsafe-inline'"

/** No page here asks for the devices of who reads it. */
const NO_DEVICES = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'

const EVERYWHERE = { 'X-Content-Type-Options': 'nosniff' }
/** Nobody frames it, nobody embeds it, and it tells nobody where somebody comes from. */
const CLOSED = {
  ...EVERYWHERE,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
}
const SITE = {
  ...EVERYWHERE,
  'Permissions-Policy': NO_DEVICES,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}
const PRIVATE_PAGE = {
  ...CLOSED,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': NO_DEVICES,
}

/**
 * What an author writes runs, inline too, and may bring scripts and styles of others over https. Plain http is for what
 * shows or asks only: browsers refuse it on a page that came over https, this machine excepted. No text becomes a script
 * (`eval`), no plugin, no other base for addresses, no frame of strangers around it.
 */
const SITE_POLICY = {
  'default-src': [SELF],
  'script-src': [SELF, INLINE, 'https:', 'blob:'],
  'style-src': [SELF, INLINE, 'https:'],
  'img-src': [SELF, 'https:', 'http:', 'data:', 'blob:'],
  'media-src': [SELF, 'https:', 'http:', 'data:', 'blob:'],
  'font-src': [SELF, 'https:', 'data:'],
  'connect-src': [SELF, 'https:', 'http:', 'wss:', 'ws:', 'data:', 'blob:'],
  'frame-src': [SELF, 'https:', 'http:', 'blob:'],
  'worker-src': [SELF, 'blob:'],
  'form-action': [SELF, 'https:'],
  'object-src': [NONE],
  'base-uri': [SELF],
  'frame-ancestors': [SELF],
}

const ORIGINS: Readonly<Record<OriginKind, Origin>> = {
  /** Answers for programs, and everything that has no row of its own. A browser does nothing with them. */
  api: { policy: { 'default-src': [NONE], 'frame-ancestors': [NONE] }, headers: CLOSED },

  /** Its own scripts and styles by file; sign-in too. Frames hold previews of changes, which are sandboxed. */
  dashboard: {
    policy: {
      'default-src': [NONE],
      'script-src': [SELF],
      'style-src': [SELF],
      'img-src': [SELF, 'data:', 'blob:'],
      'font-src': [SELF],
      'connect-src': [SELF],
      'form-action': [SELF],
      'base-uri': [NONE],
      'frame-ancestors': [NONE],
      'frame-src': [SELF],
    },
    headers: PRIVATE_PAGE,
  },
  /** One style of its own, by its hash; `style` is given. */
  frontPage: {
    policy: {
      'default-src': [NONE],
      'style-src': [NONE],
      'base-uri': [NONE],
      'form-action': [NONE],
      'frame-ancestors': [NONE],
    },
    headers: PRIVATE_PAGE,
  },

  /** The same with a button that posts to where it stands; `style` is given. */
  formPage: {
    policy: {
      'default-src': [NONE],
      'style-src': [NONE],
      'base-uri': [NONE],
      'form-action': [SELF],
      'frame-ancestors': [NONE],
    },
    headers: { ...PRIVATE_PAGE, 'X-Robots-Tag': 'noindex' },
  },

  /** Its own script and style by a word that changes with each answer; `script` and `style` are given. */
  reviewPage: {
    policy: {
      'default-src': [NONE],
      'script-src': [NONE],
      'style-src': [NONE],
      'font-src': [SELF],
      'img-src': [SELF],
      'connect-src': [SELF],
      'frame-src': [SELF],
      'base-uri': [NONE],
      'form-action': [NONE],
      'frame-ancestors': [NONE],
      'require-trusted-types-for': ["'script'"],
    },
    headers: { ...PRIVATE_PAGE, 'X-Robots-Tag': 'noindex' },
  },
  /** A picture of a change, drawings too: it loads nothing and runs nothing, also when it is opened by itself. */
  reviewPicture: {
    policy: {
      'default-src': [NONE],
      'style-src': [INLINE],
      'img-src': ['data:'],
      'frame-ancestors': [NONE],
      sandbox: [],
    },
    headers: { ...CLOSED, 'X-Robots-Tag': 'noindex' },
  },
  /**
   * Pages of a site on the API's host: without `allow-same-origin` their scripts run in an origin that is nobody's, with
   * no storage, no forms and no way to the page around. Such an origin needs leave for its own fonts, hence the open CORS
   * header; no cookie goes with that.
   */
  reviewPreview: {
    policy: {
      sandbox: ['allow-scripts', 'allow-popups'],
      'object-src': [NONE],
      'base-uri': [SELF],
      'frame-ancestors': [SELF],
    },
    headers: {
      ...EVERYWHERE,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Permissions-Policy': NO_DEVICES,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  },
  /** Saved, not shown: bundles behind presigned links. */
  object: { policy: { 'default-src': [NONE], sandbox: [] }, headers: EVERYWHERE },

  /** A published site, under a host name of its own. */
  site: { policy: SITE_POLICY, headers: SITE },
  /** An SVG that is opened by itself is a document of the site's origin: it may be seen, not run. */
  siteDrawing: {
    policy: {
      'default-src': [NONE],
      'style-src': [INLINE],
      'img-src': ['data:'],
      'frame-ancestors': [SELF],
      sandbox: [],
    },
    headers: SITE,
  },
  /** A site that is being written, on the machine of who writes it: pages elsewhere take no file of it in. */
  sitePreview: { policy: SITE_POLICY, headers: { ...SITE, 'Cross-Origin-Resource-Policy': 'same-origin' } },
}

/** Sources that are known with the answer only: a hash, or the word of this one answer. */
export interface OwnSources {
  script?: string
  style?: string
}

/** The headers of an answer of this kind, by names in lower case. */
export function originHeaders(kind: OriginKind, { script, style }: OwnSources = {}): Record<string, string> {
  const { policy, headers } = ORIGINS[kind]
  const own = {
    ...(script === undefined ? {} : { 'script-src': [script] }),
    ...(style === undefined ? {} : { 'style-src': [style] }),
  }
  const directives = Object.entries({ ...policy, ...own }).map(([name, sources]) =>
    [name, ...sources].join(' '),
  )
  const all = { ...headers, 'Content-Security-Policy': directives.join('; ') }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Names of all headers that any kind sets: what one kind leaves behind must not stay under another. */
export const ORIGIN_HEADER_NAMES: readonly string[] = [
  ...new Set([
    'Content-Security-Policy',
    ...Object.values(ORIGINS).flatMap(({ headers }) => Object.keys(headers)),
  ]),
]

/**
 * What pages of other origins may do with the reader API: those of a project's own domains may ask, without cookies, and
 * read these headers of the answer. No other part of the server answers any origin but its own.
 */
export const READER_CORS = {
  answer: (origin: string): Record<string, string> => ({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers':
      'Octavo-Challenge, Retry-After, X-Request-Id, Idempotent-Replayed, RateLimit-Policy, RateLimit',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }),
  preflight: (methods: readonly string[]): Record<string, string> => ({
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Content-Type, Idempotency-Key',
    // Short: a domain that was taken away must not work for long.
    'Access-Control-Max-Age': '600',
  }),
} as const

/** For the MCP server of a site, from the same domains. */
export const MCP_CORS = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers':
    'Content-Type, Accept, Idempotency-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
  'Access-Control-Max-Age': '600',
} as const
