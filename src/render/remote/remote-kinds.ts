/** Which kinds of files are downloaded from other servers, and the endings their copies get. */

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico',
  'image/vnd.microsoft.icon': 'ico',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/ogg': 'ogg',
  'font/woff2': 'woff2',
  'font/woff': 'woff',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'application/font-woff2': 'woff2',
  'application/font-woff': 'woff',
  'application/x-font-woff': 'woff',
  'application/x-font-ttf': 'ttf',
  'application/x-font-opentype': 'otf',
  'text/css': 'css',
}

/** What servers say that do not know; then the ending of the address counts. */
const UNKNOWN = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain'])

/** Ending of a copy; null for what is not downloaded, such as pages and scripts. */
export function remoteExtension(type: string, url: string): string | null {
  const known = EXTENSIONS[type]
  if (known) return known
  if (!UNKNOWN.has(type)) return null
  const path = URL.parse(url)?.pathname ?? ''
  const extension = /\.([A-Za-z0-9]{2,5})$/.exec(path)?.[1]?.toLowerCase().replace('jpeg', 'jpg')
  return extension && extension !== 'css' && Object.values(EXTENSIONS).includes(extension) ? extension : null
}
