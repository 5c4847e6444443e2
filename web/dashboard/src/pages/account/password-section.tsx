import { useState } from 'preact/hooks'
import { auth } from '../../api/send.ts'
import { queryClient } from '../../app/query-client.ts'
import { useUser } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { PasswordInput } from '../../ui/input.tsx'
import { Section } from '../../ui/page.tsx'
import { NewPasswordField } from '../sign-in/new-password.tsx'
import { sessionsQuery } from './sessions-section.tsx'

export function PasswordSection() {
  const { email } = useUser()
  const [isOpen, setOpen] = useState(false)
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const close = () => {
    setOpen(false)
    setCurrent('')
    setNext('')
    setError(null)
  }
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      await auth('change-password', { currentPassword: current, newPassword: next })
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      toast({
        kind: 'done',
        title: 'Your password is changed',
        detail: 'All other sessions were signed out.',
      })
      close()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <Section
      title="Password"
      about="Changing it signs you out everywhere else."
      actions={!isOpen && <Button onClick={() => setOpen(true)}>Change the password</Button>}
    >
      {isOpen && (
        <Card class="p-4">
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (!isBusy) void save()
            }}
          >
            <FormFailure error={error} />
            <input type="text" class="hidden" readOnly autocomplete="username" value={email} />
            <Field label="Present password">
              {(field) => (
                <PasswordInput
                  {...field}
                  required
                  autoFocus
                  autocomplete="current-password"
                  value={current}
                  onInput={(event) => setCurrent(event.currentTarget.value)}
                />
              )}
            </Field>
            <NewPasswordField label="New password" value={next} onChange={setNext} />
            <div class="flex gap-2">
              <Button type="submit" look="primary" isBusy={isBusy}>
                Change
              </Button>
              <Button onClick={close}>Cancel</Button>
            </div>
          </form>
        </Card>
      )}
    </Section>
  )
}
