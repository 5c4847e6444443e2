/**
 * Security headers of each kind of response: what it may do in a browser, and what other origins may do with it.
 *
 * The dashboard and the API share one origin, the public URL. Each published site has its own origin, by host name,
 * which confines author scripts. Cookies ignore ports, and browsers treat all subdomains of a domain as the same site.
 * Therefore the dashboard is protected from published pages not by `SameSite`, but because the internal API accepts
 * only requests of its own origin (`Sec-Fetch-Site`, `Origin`), sends no CORS headers, and requires a header that
 * forms cannot send. Over https, other hosts cannot set its cookies either, thanks to the `__Host-` prefix.
 */

export type OriginKind =
  | 'api'
  | 'dashboard'
  | 'formPage'
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

/** No page needs access to the reader's devices. */
const NO_DEVICES = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'

const COMMON_HEADERS = { 'X-Content-Type-Options': 'nosniff' }
/** No framing, no embedding, no referrer. */
const CLOSED = {
  ...COMMON_HEADERS,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
}
const SITE = {
  ...COMMON_HEADERS,
  'Permissions-Policy': NO_DEVICES,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}
const PRIVATE_PAGE = {
  ...CLOSED,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': NO_DEVICES,
}

/**
 * Content security policy of sites. Authors may run scripts, including inline ones, and load scripts and styles from
 * other hosts over https. Plain http is allowed for images and requests only, since browsers block it on https pages
 * except for localhost. Forbidden: `eval`, plugins, a different base URL, and framing by other sites.
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
  /** API responses, and all others that have no row in this table. Browsers do not render them. */
  api: { policy: { 'default-src': [NONE], 'frame-ancestors': [NONE] }, headers: CLOSED },

  /**
   * Allows scripts and styles from the dashboard's own files only. Also used for sign-in and reviews. Frames
   * show sandboxed previews of changes.
   */
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
      'require-trusted-types-for': ["'script'"],
    },
    headers: { ...PRIVATE_PAGE, 'X-Robots-Tag': 'noindex' },
  },
  /** One inline style, allowed by its hash, and a form that posts to the same URL; `style` is required. */
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

  /** Image in a change, including SVG. Loads and runs nothing, even when opened directly. */
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
   * Pages of a site on the API's host. Without `allow-same-origin`, scripts run in an opaque origin, without storage,
   * forms or access to the embedding page. Such an origin needs a CORS header even to load fonts of the same host; no
   * cookies are sent with these requests.
   */
  reviewPreview: {
    policy: {
      sandbox: ['allow-scripts', 'allow-popups'],
      'object-src': [NONE],
      'base-uri': [SELF],
      'frame-ancestors': [SELF],
    },
    headers: {
      ...COMMON_HEADERS,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Permissions-Policy': NO_DEVICES,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  },
  object: { policy: { 'default-src': [NONE], sandbox: [] }, headers: COMMON_HEADERS },

  site: { policy: SITE_POLICY, headers: SITE },
  /** An SVG opened directly is a document of the site's origin, so scripts are disabled. */
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
  /** Local preview of a site on the author's machine; other origins cannot load its files. */
  sitePreview: { policy: SITE_POLICY, headers: { ...SITE, 'Cross-Origin-Resource-Policy': 'same-origin' } },
}

/** Policy sources that differ between responses: `style` is the hash of the inline style. */
export interface ResponsePolicySources {
  style?: string
}

export function originHeaders(
  kind: OriginKind,
  { style }: ResponsePolicySources = {},
): Record<string, string> {
  const { policy, headers } = ORIGINS[kind]
  const own = {
    ...(style === undefined ? {} : { 'style-src': [style] }),
  }
  const directives = Object.entries({ ...policy, ...own }).map(([name, sources]) =>
    [name, ...sources].join(' '),
  )
  const all = { ...headers, 'Content-Security-Policy': directives.join('; ') }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Names of all headers that any kind sets, to be removed when the kind of a response changes. */
export const ORIGIN_HEADER_NAMES: readonly string[] = [
  ...new Set([
    'Content-Security-Policy',
    ...Object.values(ORIGINS).flatMap(({ headers }) => Object.keys(headers)),
  ]),
]

/**
 * CORS headers of the reader API: pages on a project's domains may call it without cookies and read these response
 * headers. Apart from the MCP server of a site, nothing else allows other origins.
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
    // Short, so that a removed domain soon stops working.
    'Access-Control-Max-Age': '600',
  }),
} as const

/** CORS headers of a site's MCP server, for the same domains. */
export const MCP_CORS = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers':
    'Content-Type, Accept, Idempotency-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
  'Access-Control-Max-Age': '600',
} as const
