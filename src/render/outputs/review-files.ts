/** Style sheet, script and fonts of the review page. Created once per process. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../base/files/program-files.ts'
import { sha256 } from '../../base/hash.ts'
import { FONT_FILES, fontFaces } from '../machinery/fonts.ts'
import { ownBundle } from '../machinery/own-bundles.ts'
import { getContentType } from '../versions/content-types.ts'

export interface ReviewFile {
  /** Relative to the folder from which they are served. */
  path: string
  contentType: string
  content: string | Buffer
  /** The name contains a hash of the content. */
  isHashed: boolean
}

export interface ReviewFiles {
  style: ReviewFile
  script: ReviewFile
  fonts: readonly ReviewFile[]
}

let loading: Promise<ReviewFiles> | null = null

export function loadReviewFiles(): Promise<ReviewFiles> {
  loading ??= buildAll().catch((error) => {
    loading = null
    throw error
  })
  return loading
}

async function buildAll(): Promise<ReviewFiles> {
  const [css, script] = await Promise.all([ownBundle('review.css'), ownBundle('review.js')])
  return {
    style: hashed('css', `${fontFaces()}\n${css}`),
    script: hashed('js', script),
    fonts: FONT_FILES.map(({ source, output: path }) => ({
      path,
      contentType: getContentType(path),
      content: readFileSync(fileOfPackage(source)),
      isHashed: false,
    })),
  }
}

function hashed(extension: 'css' | 'js', content: string): ReviewFile {
  const path = `review.${sha256(content).slice(0, 10)}.${extension}`
  return { path, contentType: getContentType(path), content, isHashed: true }
}

/** Resolves `@scope/name/files/x.woff2` to a path on disk. */
function fileOfPackage(specifier: string): string {
  const [scope = '', name = '', ...path] = specifier.split('/')
  return join(packageFolder(`${scope}/${name}`), ...path)
}
