/** A site version: all files of a rendered site, each referring to a blob by the SHA-256 of its content. */
import type { Deployment, FeatureSet } from '../../base/api/features.ts'

export interface SiteManifest {
  /** Since format 2, the archive ends with a seal; see archive-seal.ts. */
  format: 1 | 2
  octavo: string
  /** The source: a git commit, or `content:<sha256>`. */
  revision: string
  deployment: Deployment
  features: FeatureSet
  pageCount: number
  /** By path in the site (`guides/x.html`, `_octavo/site.css`), sorted by code unit. */
  files: Record<string, ManifestFile>
  /** Redirects for serving by host name; bundles contain redirect pages instead. */
  redirects: { source: string; destination: string; isPermanent: boolean }[]
  /** Redirect target of `/` if the site has no page at its root; absent in older versions. */
  start?: string | null
  /** Languages by tag, default first, with their start pages; only for hosted sites with several. */
  languages?: { tag: string; home: string }[]
  /** Instructions of the site for its assistant; never in a bundle. */
  assistantInstructions?: string
  /** Groups of readers to which pages are restricted; if absent, all pages are public. */
  groups?: readonly string[]
  /**
   * Manifests of the same revision for readers of restricted pages: those of all groups, or of the listed groups,
   * sorted.
   */
  audiences?: readonly { groups: 'all' | readonly string[]; manifestKey: string }[]
}

export interface ManifestFile {
  sha256: string
  sizeBytes: number
  contentType: string
}

/**
 * Returns the key of a blob, whose content is one gzip member (level 0 for types that are already
 * compressed).
 */
export function blobKey(sha256: string): string {
  return `blobs/${sha256.slice(0, 2)}/${sha256.slice(2)}.gz`
}

/** Memory limit of a server's cache of manifests, in bytes. */
export const MAX_CACHED_MANIFEST_BYTES = 64 << 20
/** Estimated overhead per file, in addition to its strings. */
const BYTES_PER_FILE = 200

export function estimateManifestBytes({
  files,
  redirects,
}: Pick<SiteManifest, 'files' | 'redirects'>): number {
  let bytes = 0
  for (const name in files) bytes += BYTES_PER_FILE + name.length
  for (const { source, destination } of redirects)
    bytes += BYTES_PER_FILE + source.length + destination.length
  return bytes
}
