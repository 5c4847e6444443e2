import { useState } from 'preact/hooks'
import { mayDo, ROLES, type Role } from '../../../../../src/contract/roles.ts'
import { faultsByField } from '../../api/errors.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { useMembership } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choice.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, FieldSet } from '../../ui/field.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { Input } from '../../ui/input.tsx'
import { timeUntil } from '../../ui/time.tsx'
import { ROLE_NAMES, ROLE_WORDS } from './role-words.ts'

/** The link is in the state of this component alone, and gone when it closes. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { role: myRole } = useMembership()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const [made, setMade] = useState<{ link: string; email: string; expiresAt: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const invite = async () => {
    setBusy(true)
    setError(null)
    try {
      setMade(await internal('createInvitation', { body: { email: email.trim(), role } }))
      void queryClient.invalidateQueries({ queryKey: internalKey('listInvitations') })
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  if (made !== null) {
    return (
      <Dialog
        title="Send this link"
        about={`For ${made.email}. It works once, within ${timeUntil(made.expiresAt)}, and is shown only now.`}
        onClose={onClose}
        actions={
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <CopyField text={made.link} label="Link of the invitation" />
        <p class="mt-3 text-13 text-soft">No mail is sent from here: give the link on yourself.</p>
      </Dialog>
    )
  }
  const { byField, others } = faultsByField(error, ['email', 'role'])
  const roles = ROLES.filter((one) => one !== 'owner' || mayDo(myRole, 'owners'))
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void invite()
        }}
      >
        <FormFailure error={error} others={others} />
        <Field label="E-mail address" error={byField.email}>
          {(field) => (
            <Input
              {...field}
              type="email"
              required
              autoFocus
              autocomplete="off"
              value={email}
              onInput={(event) => setEmail(event.currentTarget.value)}
            />
          )}
        </Field>
        <FieldSet label="Role">
          <RadioGroup
            label="Role"
            value={role}
            onChange={setRole}
            choices={roles.map((one) => ({ value: one, label: ROLE_NAMES[one], about: ROLE_WORDS[one] }))}
          />
        </FieldSet>
        <div class="mt-5 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Make the link
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
