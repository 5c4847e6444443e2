/**
 * What a page would fetch from other servers by itself. In a bundle without a network around it nothing is asked of
 * anybody: such addresses are taken out and reported.
 */
import type { Problem } from '../contract/problem.ts'

const LOADED = new Set(['src', 'srcset', 'imagesrcset', 'poster', 'data-src', 'data-srcset', 'background'])
const LOADING_REL =
  /\brel\s*=\s*["']?[^"'>]*\b(?:stylesheet|icon|preload|modulepreload|prefetch|preconnect|dns-prefetch|manifest)\b/i
const REMOTE = /^\s*(?:https?:)?\/\//i

export function isRemote(url: string): boolean {
  return REMOTE.test(url)
}

/** Whether a browser fetches the address of this attribute without being asked. */
export function isFetched(tag: string, name: string, value: string, source: () => string): boolean {
  if (name === 'srcset' || name === 'imagesrcset') return value.split(/,\s+/).some(isRemote)
  if (!isRemote(value)) return false
  if (LOADED.has(name)) return true
  if (tag === 'object') return name === 'data'
  if (name === 'href' || name === 'xlink:href') {
    if (tag === 'link') return LOADING_REL.test(source())
    return tag === 'image' || tag === 'use' || tag === 'feimage'
  }
  return false
}

export function remoteProblem(file: string, url: string): Problem {
  return {
    file,
    line: null,
    code: 'asset.remote',
    level: 'warning',
    message: `${url} is on another server, which readers of an air-gapped bundle cannot reach; the place stays empty.`,
    remedy: 'Put the file into the docs folder and name it by its path.',
  }
}
