/** Accept and decline: the key from the field is sent in a single request and not stored. */

type Decision = 'accept' | 'decline'

interface Refusal {
  error?: string
  details?: { message: string }[]
}

export function initDecision(): void {
  const form = document.querySelector<HTMLFormElement>('#decision-form')
  const dialog = document.querySelector<HTMLDialogElement>('#decline-dialog')
  const key = form?.querySelector<HTMLInputElement>('#admin-key')
  if (!form || !dialog || !key) return
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const { value } = event.submitter as HTMLButtonElement
    if (value === 'decline') dialog.showModal()
    else void decide(form, key, 'accept')
  })
  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'decline') void decide(form, key, 'decline')
    dialog.returnValue = ''
  })
}

async function decide(form: HTMLFormElement, key: HTMLInputElement, decision: Decision): Promise<void> {
  const buttons = [...form.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  showMessage(form, '')
  try {
    const refusal = await sendDecision(
      `${form.dataset.path}/${decision}${riskConfirmationQuery(form, decision)}`,
      key.value.trim(),
    )
    if (refusal !== null) return showMessage(form, refusal)
    key.value = ''
    location.reload()
  } catch {
    showMessage(
      form,
      'The server cannot be reached. Nothing is known to have been decided: load the page again to see.',
    )
  } finally {
    for (const button of buttons) button.disabled = false
  }
}

/** Returns the query parameter that confirms the risks of an entirely risky change. */
function riskConfirmationQuery(form: HTMLFormElement, decision: Decision): string {
  const box = form.querySelector<HTMLInputElement>('#confirm-risks')
  return decision === 'accept' && box?.checked ? '?confirmRisks=true' : ''
}

/** Returns null on success, otherwise the error message. */
async function sendDecision(path: string, key: string): Promise<string | null> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
    credentials: 'omit',
    redirect: 'error',
  })
  if (response.ok) return null
  const { error, details = [] } = ((await response.json().catch(() => ({}))) ?? {}) as Refusal
  return [error ?? `The server answered ${response.status}.`, ...details.map(({ message }) => message)].join(
    ' ',
  )
}

function showMessage(form: HTMLFormElement, text: string): void {
  const answer = form.querySelector('#decision-answer')
  if (answer) answer.textContent = text
}
