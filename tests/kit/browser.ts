/**
 * A real browser for tests. Tries a headless Chromium shell on the system, then one from an npm package that bundles
 * its own libraries and fonts, then the system's Chromium. Without a browser the test is skipped and its name is
 * collected; the runner lists the names at the end.
 */
import { ChildProcess, execFile } from 'node:child_process'
import { accessSync, appendFileSync, constants, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { programFile } from '../../src/base/files/program-files.ts'
import { atLaneEnd } from './lane-end.ts'
import { patienceMs } from './until.ts'

export interface BrowserProgram {
  executablePath: string
  /** Extra environment variables that point to its libraries and fonts. */
  env: Record<string, string>
}

const HEADLESS = ['chromium-headless-shell']
/** Full browsers, the last choice: a context takes three times the processor time. */
const WINDOWED = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MACOS = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
// Allow running as root and without a graphics card, and disable background network traffic.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** Without a locale on the machine, Chromium reports `en-US@posix`, which is not a valid language. */
const LANGUAGE = { LC_ALL: 'en_US.UTF-8' }

const CLOSE_MS = 20_000

let shared: Promise<Browser | null> | undefined
let closesShared = false

/**
 * Launches a separate browser with additional flags, which the caller has to close. Returns null when the machine has
 * no browser and none can be unpacked.
 */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser | null> {
  const program = await findBrowser()
  if (!program) return null
  const browser = await chromium.launch({
    executablePath: program.executablePath,
    args: [...FLAGS, ...flags],
    env: { ...process.env, ...LANGUAGE, ...program.env },
  })
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs()))
  return browser
}

/**
 * Defines a test that needs a browser. All tests of a process share one, which is closed after the last. A crash fails
 * only the current test; the next one gets a new browser.
 */
export function browserTest(name: string, body: (browser: Browser, t: TestContext) => Promise<void>): void {
  if (!closesShared) atLaneEnd(closeShared)
  closesShared = true
  test(name, async (t) => {
    const browser = await sharedBrowser()
    if (browser) return body(browser, t)
    const list = process.env.OCTAVO_TEST_NOT_RUN
    if (list) appendFileSync(list, `${name}\n`)
    t.skip('there is no browser on this machine')
  })
}

async function sharedBrowser(): Promise<Browser | null> {
  const known = await shared?.catch(() => undefined)
  if (known === undefined || known?.isConnected() === false) shared = launchBrowser()
  return (await shared) ?? null
}

/** Kills Chromium after a timeout, since it occasionally does not exit and would keep the test file running forever. */
async function closeShared(): Promise<void> {
  const browser = await shared?.catch(() => null)
  if (!browser) return
  const late = setTimeout(killBrowsers, CLOSE_MS)
  await browser.close().finally(() => clearTimeout(late))
}

function killBrowsers(): void {
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles()
  for (const child of handles) {
    if (!(child instanceof ChildProcess) || !child.spawnargs.includes('--no-sandbox')) continue
    process.stderr.write(`The browser ${child.pid} did not end within ${CLOSE_MS} ms and is killed.\n`)
    // Kill the process group, since the program may be a wrapper script around the browser.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
}

/** Uses the browser found by the runner, or looks for one when a test file is run alone. */
export async function findBrowser(): Promise<BrowserProgram | null> {
  const found = process.env.OCTAVO_TEST_BROWSER
  if (found !== undefined) return JSON.parse(found) as BrowserProgram | null
  return (
    firstProgram([process.env.CHROME_PATH ?? '', ...onPath(HEADLESS)]) ??
    (await unpackBrowser()) ??
    firstProgram([...onPath(WINDOWED), MACOS])
  )
}

function onPath(names: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.flatMap((folder) => names.map((name) => join(folder, name)))
}

function firstProgram(paths: readonly string[]): BrowserProgram | null {
  const executablePath = paths.find(isProgram)
  return executablePath ? { executablePath, env: {} } : null
}

function isProgram(path: string): boolean {
  if (!path) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Unpacks the browser once for all runs. */
async function unpackBrowser(): Promise<BrowserProgram | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  try {
    const packageFolder = join(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '../../..')
    const manifest = await readFile(join(packageFolder, 'package.json'), 'utf8')
    const { version } = JSON.parse(manifest) as { version: string }
    const folder = programFile(`.cache/browser-${version}-${process.getuid?.() ?? 0}`)
    if (!existsSync(folder)) await unpackInto(folder)
    const executablePath = join(folder, 'chromium')
    const env = {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, FONT_SETTINGS),
    }
    // The system's C library may be incompatible.
    await promisify(execFile)(executablePath, ['--version'], { env: { ...process.env, ...env } })
    return { executablePath, env }
  } catch (error) {
    process.stderr.write(
      `The packaged browser does not run: ${error instanceof Error ? error.message : error}\n`,
    )
    return null
  }
}

/** The package unpacks into the temp directory, so give it a separate one and move that into place when complete. */
async function unpackInto(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const partial = await mkdtemp(`${folder}-`)
  try {
    const script = `const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath()`
    // The package only unpacks the libraries when it detects AWS Lambda.
    const env = { ...process.env, TMPDIR: partial, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      env,
    })
    await writeFile(join(partial, FONT_SETTINGS), fontSettings(folder))
    await rename(partial, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error // another process was quicker
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

const FONT_SETTINGS = 'octavo-fonts.conf'

/**
 * Replaces the package's own settings, which use folders that exist only on AWS Lambda. Without any font the browser
 * aborts on the first page that shows text.
 */
function fontSettings(folder: string): string {
  const escaped = folder.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${escaped}/fonts</dir>
  <cachedir>${escaped}/fonts-cache</cachedir>
</fontconfig>
`
}
