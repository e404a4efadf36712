/** What `raygate credentials` puts under a key of the one Secret. */
export type SecretValue =
  /** Random text of the alphabet `A-Za-z0-9_-`, so that it fits a Bearer token, a URL and a shell without quoting. */
  | { readonly kind: 'random'; readonly characters: number }
  /** The same in every deployment: a name, not a credential. */
  | { readonly kind: 'fixed'; readonly value: string }
  /** The value of another key: two readers that must agree. */
  | { readonly kind: 'same-as'; readonly key: string };

/**
 * Every key of Secret `django-ray-secret`. A container gets each key that it needs by name (`secretKeyRef`), never the Secret
 * as a whole; Ray pods get none.
 */
export const secretKeys = {
  DJANGO_SECRET_KEY: { kind: 'random', characters: 64 },
  DJANGO_API_TOKEN: { kind: 'random', characters: 48 },
  DATABASE_USER: { kind: 'fixed', value: 'django_ray' },
  DATABASE_PASSWORD: { kind: 'random', characters: 32 },
  POSTGRES_USER: { kind: 'same-as', key: 'DATABASE_USER' },
  POSTGRES_PASSWORD: { kind: 'same-as', key: 'DATABASE_PASSWORD' },
  POSTGRES_DB: { kind: 'fixed', value: 'django_ray' },
  DJANGO_SUPERUSER_USERNAME: { kind: 'fixed', value: 'admin' },
  DJANGO_SUPERUSER_EMAIL: { kind: 'fixed', value: 'admin@django-ray.localhost' },
  DJANGO_SUPERUSER_PASSWORD: { kind: 'random', characters: 24 },
  GRAFANA_ADMIN_PASSWORD: { kind: 'random', characters: 24 },
} as const satisfies Readonly<Record<string, SecretValue>>;

export type SecretKey = keyof typeof secretKeys;
