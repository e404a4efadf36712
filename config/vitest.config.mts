import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');

export default defineConfig({
  test: {
    root,
    projects: [
      {
        test: {
          name: 'unit',
          root,
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/contract/**', 'tests/lab/**'],
          // No verdict on speed: a busy machine must not fail a test.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'contract',
          root,
          include: ['tests/contract/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'lab',
          root,
          include: ['tests/lab/**/*.test.ts'],
          testTimeout: 900_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
