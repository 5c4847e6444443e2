/**
 * Downloads the fonts in docs.json, so that browsers do not request them from other servers. A font with a `source` is
 * a single file. Other fonts are Google fonts, whose style sheets refer to several files for different scripts.
 */

import type { Deployment } from '../../base/api/features.ts'
import { mapBounded } from '../../base/bounded.ts'
import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import { sha256 } from '../../base/hash.ts'
import type { FontSetting, SiteConfig } from '../../site/settings/config.ts'
import { isRemote, toFetchableUrl } from '../html/addresses.ts'
import { BUILT_IN_FOLDER } from '../machinery/built-ins.ts'
import type { RemoteFetch } from '../remote/remote-files.ts'
import { type FontFace, type FontShape, isBundledFont, type SiteFonts } from '../theme/site-fonts.ts'
import type { OutputNames } from '../versions/output-names.ts'
import type { SiteFiles } from '../versions/site-files.ts'
import { type FontMetrics, fontFormat, fontMetrics } from './font-metrics.ts'

export interface SiteFontsDeps {
  tree: Pick<FileTree, 'read' | 'files'>
  files: Pick<SiteFiles, 'add'>
  names: Pick<OutputNames, 'claim' | 'has'>
  deployment: Deployment
  /** Null if requests to other servers are not allowed. */
  fetchRemote: RemoteFetch | null
}

const SERVICE = 'https://fonts.googleapis.com/css2'
/** Weights to request. Each choice requires fewer weights than the previous one. */
const WEIGHT_CHOICES = ['400..700', '400;500;600;700', '400;700', null]
/** Maximum number of files. East Asian fonts have more than a hundred. */
const MAX_FONT_FACES = 300
const CONCURRENCY = 8

interface DownloadedFace {
  faces: FontFace[]
  shape: FontShape | null
  problems: Problem[]
}

/** Rejects only on internal errors. A failed download is reported as a problem, and the theme's font is used. */
export async function downloadFonts(
  deps: SiteFontsDeps,
  fonts: SiteConfig['fonts'],
): Promise<SiteFonts & { problems: Problem[] }> {
  const chosenFonts = [fonts.body, fonts.heading].filter((font) => font !== null)
  const distinct = new Map<string, FontSetting>()
  for (const font of chosenFonts) {
    const key = JSON.stringify([font.family, font.source])
    const existing = distinct.get(key)
    distinct.set(key, existing && existing.weight !== font.weight ? { ...font, weight: null } : font)
  }
  const fallbacks = new Map<string, FontShape>()
  const faces: FontFace[] = []
  const problems: Problem[] = []
  for (const font of distinct.values()) {
    if (isBundledFont(font)) continue
    const downloaded = await downloadFont(deps, font)
    faces.push(...downloaded.faces)
    problems.push(...downloaded.problems)
    if (downloaded.shape) fallbacks.set(font.family, downloaded.shape)
  }
  return { faces, fallbacks, problems }
}

function downloadFont(deps: SiteFontsDeps, font: FontSetting): Promise<DownloadedFace> {
  if (font.source === null) return downloadFamily(deps, font)
  return isRemote(font.source)
    ? downloadFontFile(deps, font, font.source)
    : localFile(deps, font, font.source)
}

async function localFile(
  { tree }: SiteFontsDeps,
  font: FontSetting,
  source: string,
): Promise<DownloadedFace> {
  const path = source.replace(/^\.?\//, '')
  const shape = tree.files.has(path) ? fontMetrics(await tree.read(path)) : null
  return { faces: [createFace(font, source, font.format, shape)], shape, problems: [] }
}

/** Downloads a font file. Falls back to its URL, except in air-gapped bundles. */
async function downloadFontFile(
  deps: SiteFontsDeps,
  font: FontSetting,
  source: string,
): Promise<DownloadedFace> {
  const remoteFaces = deps.deployment === 'air-gapped' ? [] : [createFace(font, source, font.format, null)]
  if (!deps.fetchRemote) return { faces: remoteFaces, shape: null, problems: [] }
  const file = await fetchFont(deps, deps.fetchRemote, source)
  if ('fault' in file) return { faces: remoteFaces, shape: null, problems: [fontProblem(font, file.fault)] }
  const shape = fontMetrics(file.bytes)
  return { faces: [createFace(font, file.path, file.format, shape)], shape, problems: [] }
}

async function downloadFamily(deps: SiteFontsDeps, font: FontSetting): Promise<DownloadedFace> {
  const { fetchRemote } = deps
  if (!fetchRemote) return { faces: [], shape: null, problems: [] }
  const sheet = await fetchFontCss(fetchRemote, font)
  if ('fault' in sheet) return { faces: [], shape: null, problems: [fontProblem(font, sheet.fault)] }
  const named = parseFaces(sheet.css, font.family)
  if (named.length === 0 || named.length > MAX_FONT_FACES) {
    const fault = `The response lists ${named.length} files.`
    return { faces: [], shape: null, problems: [fontProblem(font, fault)] }
  }
  const downloaded = await mapBounded(named, CONCURRENCY, async (face): Promise<DownloadedFace> => {
    const file = await fetchFont(deps, fetchRemote, face.source)
    if ('fault' in file) return { faces: [], shape: null, problems: [fontProblem(font, file.fault)] }
    const isLatin = face.range === null || /U\+0{0,4}-/i.test(face.range)
    const shape = isLatin && face.style === 'normal' ? fontMetrics(file.bytes) : null
    return { faces: [{ ...face, source: file.path, format: file.format }], shape, problems: [] }
  })
  return {
    faces: downloaded.flatMap(({ faces }) => faces),
    shape: downloaded.find(({ shape }) => shape !== null)?.shape ?? null,
    problems: downloaded.flatMap(({ problems }) => problems).slice(0, 1),
  }
}

/** Requests fewer weights with each attempt, because the service refuses weights that a family lacks. */
async function fetchFontCss(
  fetchRemote: RemoteFetch,
  { family, weight }: FontSetting,
): Promise<{ css: string } | { fault: string }> {
  const wider = weight !== null && (weight < 400 || weight > 700)
  const range = wider ? [`${Math.min(weight, 400)}..${Math.max(weight, 700)}`, `400;${weight}`] : []
  let fault = ''
  for (const weights of [...range, ...WEIGHT_CHOICES]) {
    const axis = weights === null ? '' : `:wght@${sortedWeights(weights)}`
    const name = encodeURIComponent(family).replaceAll('%20', '+')
    const answer = await fetchRemote(`${SERVICE}?family=${name}${axis}&display=swap`)
    if ('bytes' in answer && answer.type === 'text/css')
      return { css: new TextDecoder().decode(answer.bytes) }
    fault =
      'fault' in answer ? answer.fault : `The server returned the content type ${answer.type || 'none'}.`
    // Status 400 means that the family lacks these weights.
    if (!/answered 400/.test(fault)) return { fault }
  }
  return { fault }
}

function sortedWeights(weights: string): string {
  return weights.includes('..')
    ? weights
    : weights
        .split(';')
        .sort((a, b) => Number(a) - Number(b))
        .join(';')
}

/** Extracts only the font faces from a style sheet. */
function parseFaces(css: string, family: string): FontFace[] {
  return [...css.matchAll(/@font-face\s*\{([^{}]*)\}/g)].flatMap(([, text = '']) => {
    const source = /url\(\s*["']?(https:\/\/[^"'()\s]+)["']?\s*\)/.exec(text)?.[1]
    if (source === undefined) return []
    const weight = /font-weight:\s*(\d{1,4}(?:\s+\d{1,4})?)\s*[;}]?/.exec(text)?.[1] ?? '400'
    const style = /font-style:\s*italic/.test(text) ? 'italic' : 'normal'
    const range = /unicode-range:\s*([U+\d\sA-F?,-]+)/i.exec(text)?.[1]?.replace(/\s+/g, '') ?? null
    return { family, source, format: null, weight, style, range } satisfies FontFace
  })
}

async function fetchFont(
  { files, names }: SiteFontsDeps,
  fetchRemote: RemoteFetch,
  url: string,
): Promise<{ path: string; format: string; bytes: Uint8Array } | { fault: string }> {
  const answer = await fetchRemote(toFetchableUrl(url))
  if ('fault' in answer) return answer
  const format = fontFormat(answer.bytes)
  if (format === null) return { fault: 'The file is not a font.' }
  const ending = format === 'truetype' ? 'ttf' : format === 'opentype' ? 'otf' : format
  const path = `${BUILT_IN_FOLDER}/fonts/${sha256(answer.bytes).slice(0, 16)}.${ending}`
  if (!names.has(path)) names.claim(path)
  await files.add(path, answer.bytes)
  return { path: `/${path}`, format, bytes: answer.bytes }
}

/** Returns a face with the font's actual weights, so that browsers synthesize bold if there is only one weight. */
function createFace(
  font: FontSetting,
  source: string,
  format: string | null,
  metrics: FontMetrics | null,
): FontFace {
  const weight = font.weight ? String(font.weight) : (metrics?.weight ?? '100 900')
  return { family: font.family, source, format, weight, style: 'normal', range: null }
}

function fontProblem({ family, source }: FontSetting, fault: string): Problem {
  return {
    file: 'docs.json',
    line: null,
    code: 'font.unreachable',
    level: 'warning',
    message: `The font ${JSON.stringify(family)} could not be fetched${source ? ` from ${source}` : ''}: ${fault} Another font is used instead.`,
    remedy: 'Add the font file to the docs folder and set fonts.source to its path.',
  }
}
