/** Calls of npm by the installer: which npm, with which environment, and what its faults mean. */
import { spawn } from 'node:child_process'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** One sentence for the person at the terminal. */
export class InstallError extends Error {
  name = 'InstallError'
  /** All that npm said. */
  output = ''
}

export function noSpace() {
  return new InstallError(
    'There is no space left on the disk: Octavo needs about 700 MB while it lays its packages, and twice that with those of its tests.',
  )
}

export function notAsLocked() {
  return new InstallError(
    'A downloaded package is not the one that package-lock.json names: clear the npm cache and try again.',
  )
}

export function noRight(folder) {
  return new InstallError(`Packages cannot be written to ${folder}: this user may not write there.`)
}

/** How to call npm: the one that called us, run by its own Node, so that it can replace the Node in node_modules. */
export function npmCommand() {
  const own = join(root, 'node_modules', '.bin')
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => resolve(folder) !== own)
  // The settings of the outer `npm start` arrive as variables; only those a person may have set outside are kept.
  const outer =
    /^npm_(package|lifecycle|command|execpath|node_execpath|config_(local_prefix|global_prefix|prefix|noproxy))/i
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !outer.test(name)))
  env.PATH = path.join(delimiter)
  const { npm_node_execpath: outerNode, npm_execpath: outerNpm } = process.env
  if (outerNode && outerNpm && /npm-cli\.js$/.test(outerNpm) && !resolve(outerNode).startsWith(own)) {
    return { command: outerNode, args: [outerNpm], env }
  }
  return { command: 'npm', args: [], env }
}

/** Its whole standard output. Throws InstallError; `onStart` gets the process id. */
export async function npm(args, { cwd, onStart }) {
  const { code, output, errors } = await runNpm(args, { cwd, onStart })
  if (code !== 0) throw Object.assign(failure(output + errors), { output: output + errors })
  return output
}

function runNpm(args, { cwd, onStart }) {
  const { command, args: first, env } = npmCommand()
  return new Promise((settle, reject) => {
    const child = spawn(command, [...first, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    if (child.pid) onStart(child.pid)
    const [output, errors] = [[], []]
    const forward = (signal) => child.kill(signal)
    process.once('SIGINT', forward).once('SIGTERM', forward)
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => errors.push(chunk))
    child.once('error', (error) => {
      reject(
        new InstallError(
          error.code === 'ENOENT'
            ? 'npm is not on the PATH: install Node 20 or later together with npm.'
            : error.message,
        ),
      )
    })
    child.once('close', (code, signal) => {
      process.off('SIGINT', forward).off('SIGTERM', forward)
      if (signal)
        reject(new InstallError('The installation was interrupted; run the same command again to go on.'))
      else settle({ code, output: textOf(output), errors: textOf(errors) })
    })
  })
}

function textOf(chunks) {
  return Buffer.concat(chunks).toString()
}

/** One sentence for what npm said in forty lines. */
function failure(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output)) {
    const host = /https?:\/\/[^/\s]+/.exec(output)?.[0] ?? 'the package registry'
    return new InstallError(
      `Packages could not be downloaded because ${host} does not answer: check the network or the proxy settings.`,
    )
  }
  if (/ENOSPC/.test(output)) return noSpace()
  if (/EACCES|EPERM|EROFS/.test(output)) return noRight(root)
  if (/EINTEGRITY/.test(output)) return notAsLocked()
  const lines = output.split('\n').filter((line) => line.trim() && !/A complete log/.test(line))
  return new InstallError(`npm could not install the packages. It said:\n${lines.slice(0, 12).join('\n')}`)
}
