import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Session } from '../../src/features/accounts/operations/people.ts'
import { type ApiUnderTest, startApi } from '../http/api-under-test.ts'
import { browserTest } from '../kit/browser.ts'
import { addPerson, PASSWORD } from '../kit/people.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({ hostName: 'localhost' })
})
after(() => api[Symbol.asyncDispose]())

interface Answer {
  status: number
  body: unknown
}

/** Opens a page of the server with a virtual authenticator. */
async function openPage(browser: Browser) {
  const context = await browser.newContext({ bypassCSP: true })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(api.url)
  const ask = (path: string, body?: object): Promise<Answer> =>
    page.evaluate(
      async ({ path, body }) => {
        const response = await fetch(
          path,
          body === undefined
            ? {}
            : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
        )
        return { status: response.status, body: await response.json() }
      },
      { path, body },
    )
  const setVerified = (isUserVerified: boolean) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return { page, ask, setVerified }
}

function createPasskey(page: Page, options: unknown): Promise<object> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never)
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    return made.toJSON()
  }, options)
}

function usePasskey(page: Page, options: unknown): Promise<object> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as never)
    const used = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
    return used.toJSON()
  }, options)
}

browserTest(
  'a signed-in user registers a passkey and signs in with it; replayed and unverified use is refused',
  async (browser) => {
    const email = 'passkey@example.com'
    const user = await addPerson(api.database, { email, organizationId: api.acme.organizationId })
    const { page, ask, setVerified } = await openPage(browser)

    const tooEarly = await ask('/auth/passkey/generate-register-options')
    assert.equal(tooEarly.status, 401)
    await ask('/auth/sign-in/email', { email, password: PASSWORD })
    const options = await ask('/auth/passkey/generate-register-options')
    assert.equal((options.body as { rp: { id: string } }).rp.id, 'localhost')
    const response = await createPasskey(page, options.body)
    const registered = await ask('/auth/passkey/verify-registration', { response, name: 'Laptop' })
    assert.equal(registered.status, 200)

    await ask('/auth/sign-out', {})
    const challenge = await ask('/auth/passkey/generate-authenticate-options')
    const proof = await usePasskey(page, challenge.body)
    const signedIn = await ask('/auth/passkey/verify-authentication', { response: proof })
    assert.equal(signedIn.status, 200)
    const session = (await ask('/internal/session')).body as Session
    assert.equal(session.user?.id, user.id)

    await ask('/auth/sign-out', {})
    const replayed = await ask('/auth/passkey/verify-authentication', { response: proof })
    assert.ok(replayed.status >= 400)
    assert.equal(((await ask('/internal/session')).body as Session).user, null)

    await setVerified(false)
    const careless = (await ask('/auth/passkey/generate-authenticate-options')).body as object
    const unverified = await usePasskey(page, { ...careless, userVerification: 'discouraged' })
    const refused = await ask('/auth/passkey/verify-authentication', { response: unverified })
    assert.equal(refused.status, 401)
    assert.deepEqual(refused.body, {
      error: 'Your device did not ask for a fingerprint, face or PIN. Use a device that does.',
      code: 'passkey_unverified',
    })

    const actions = await api.database.queries
      .selectFrom('audit_rows')
      .select(['action', 'details'])
      .where('subject', '=', user.id)
      .where('action', 'in', ['passkey.added', 'member.signed_in'])
      .orderBy('at')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      actions.map(({ action, details }) => `${action} ${details.by ?? ''}`.trim()),
      ['member.signed_in password', 'passkey.added', 'member.signed_in passkey'],
    )
    await page.context().close()
  },
)
