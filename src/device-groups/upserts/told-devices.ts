import { BusinessError, invalidField } from '../../common/errors/business-error';
import { toDto } from '../../common/input/dto.pipe';
import { checkText, NOT_AN_OBJECT } from '../../common/input/fields';
import { UpsertDeviceRequest } from '../dto/device-upserts.dto';
import { SERIAL_NO_LENGTH } from '../limits';
import type { Line } from '../rules/device-upsert-plan';

/** One of the devices told of, in whatever shape, read as a body of its own would be. */
export async function readTold(sent: unknown): Promise<Line> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return { serialNo: null, refusal: invalidField('devices', NOT_AN_OBJECT) };
  try {
    const told = await toDto(UpsertDeviceRequest, sent);
    return { serialNo: told.serial_no, told };
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    const { serial_no: serialNo } = sent as { serial_no?: unknown };
    const isOne = serialNo !== '' && checkText(serialNo, { max: SERIAL_NO_LENGTH }) === undefined;
    return { serialNo: isOne ? (serialNo as string) : null, refusal: error };
  }
}
