import { chromium } from '/tmp/w/me/node_modules/playwright-core/index.mjs'
import { readFileSync, mkdirSync } from 'node:fs'
const log = readFileSync('/tmp/scene.log','utf8').trim().split('\n').at(-1)!
const s = JSON.parse(log)
const who = process.argv[2] ?? 'owner'
const widths = (process.argv[3] ?? '390,820,1024,1440,1920').split(',').map(Number)
const schemes = (process.argv[4] ?? 'light,dark').split(',')
const only = process.argv[5]
const lang = process.argv[6] ?? 'en-US'
const out = process.argv[7] ?? '/tmp/shots/out'
mkdirSync(out, { recursive: true })
const p = `/p/${s.projectId}`, o = `/o/${s.organizationId}`, e = `/p/${s.emptyProjectId}`
const pages: Record<string,string> = {
  overview: p, feedback: p+'/feedback', agent: p+'/agent', automations: p+'/agent/automations', jobOpen: `${p}/agent/${s.jobs.open}`, jobFollow: `${p}/agent/${s.jobs.followUps}`, jobCap: `${p}/agent/${s.jobs.cap}`, jobKey: `${p}/agent/${s.jobs.refusedKey}`, jobLong: `${p}/agent/${s.jobs.longPrompt}`, jobMiddle: `${p}/agent/${s.jobs.middle}`,
  exports: p+'/exports', exportDone: `${p}/exports/${s.exports.airGapped}`, exportFailed: `${p}/exports/${s.exports.failed}`, deployments: p+'/deployments', previews: p+'/deployments/previews', site: p+'/site', insights: p+'/insights', assistant: p+'/assistant', settings: p+'/settings',
  account: '/account', members: o+'/members', notifications: o+'/notifications', plan: o+'/plan', audit: o+'/audit', keys: o+'/keys', git: o+'/git', server: o+'/server', newProject: o+'/projects/new',
  emptyOverview: e, emptyFeedback: e+'/feedback', emptyAgent: e+'/agent', emptyExports: e+'/exports', emptyDeployments: e+'/deployments', emptySite: e+'/site', emptyInsights: e+'/insights', emptyAssistant: e+'/assistant', nowhere: '/nothing-here',
}
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox','--disable-gpu','--disable-background-networking'] })
const context = await browser.newContext({ locale: lang, viewport: { width: 1440, height: 900 } })
const r = await context.request.post(`${s.url}/auth/sign-in/email`, { headers: { Origin: s.url }, data: s.people[who] })
if (!r.ok()) throw new Error(await r.text())
const page = await context.newPage()
page.on('pageerror', (x) => console.log('PAGEERROR', page.url(), x.message))
for (const scheme of schemes) {
  await context.addInitScript((sc) => localStorage.setItem('octavo:scheme', sc), scheme)
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
    for (const [name, path] of Object.entries(pages)) {
      if (only && !only.split(',').includes(name)) continue
      await page.goto(s.url + path)
      await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: 20000 }).catch(() => console.log('no h1', name))
      await page.waitForFunction(() => document.querySelector('main [role="status"][aria-busy], main [role="status"][aria-label^="Loading"]') === null, undefined, { timeout: 15000 }).catch(() => console.log('still loading', name))
      await page.waitForTimeout(250)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (wide > 0) console.log('WIDE', name, width, wide)
      await page.screenshot({ path: `${out}/${name}-${width}-${scheme}.png`, fullPage: width < 2000 && process.env.FULL === '1' })
    }
  }
}
await browser.close()
