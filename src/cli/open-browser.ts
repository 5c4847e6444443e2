/** Opens a URL in the person's browser, if there is one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hasDisplay } from '../app/config/config.ts'

export async function openBrowser(url: string): Promise<boolean> {
  if (!hasDisplay()) return false
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(command, [url], { stdio: 'ignore', detached: true })
  child.unref()
  return await once(child, 'spawn').then(
    () => true,
    () => false,
  )
}
