import { EventEmitter } from 'node:events';
import { keepConnected, type RedisClient } from './redis-client';

describe('keepConnected', () => {
  const open = () => {
    const client = Object.assign(new EventEmitter(), {
      connect: jest.fn(() => Promise.reject(new Error('no master'))),
      disconnect: jest.fn(() => void client.emit('end')),
    });
    return { client, disconnect: keepConnected(client as unknown as RedisClient) };
  };
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('connects again a second after each time the client has given up', () => {
    const { client } = open();
    expect(client.connect).toHaveBeenCalledTimes(1);
    client.emit('end');
    jest.advanceTimersByTime(999);
    expect(client.connect).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1);
    client.emit('end');
    jest.advanceTimersByTime(1_000);
    expect(client.connect).toHaveBeenCalledTimes(3);
  });

  it('does not connect again after it was disconnected, also while it waits', () => {
    const { client, disconnect } = open();
    client.emit('end');
    disconnect();
    jest.advanceTimersByTime(10_000);
    expect(client.connect).toHaveBeenCalledTimes(1);
    expect(client.disconnect).toHaveBeenCalledTimes(1);
  });
});
